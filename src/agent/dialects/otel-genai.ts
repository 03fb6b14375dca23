import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';
import type { Dialect, SightRow } from '../dialect.ts';
import { type Sight, sights, type Visibility } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

/** What clients of model providers can show: model calls, and nothing of the loop around them. */
export const modelCallsAlone: Visibility = sights('hidden', {
  modelCalls: 'shown',
  failedModelCalls: 'shown',
  toolNames: 'shown',
  usage: 'shown',
  content: 'shown',
});

/** What bridges of agent frameworks without their models can show. */
export const toolsAlone: Visibility = sights('hidden', {
  toolCalls: 'shown',
  toolNames: 'shown',
  failedToolCalls: 'shown',
  arguments: 'shown',
  results: 'shown',
  subAgents: 'shown',
  failureMarks: 'shown',
});

/** Each call makes a span, whether it fails or not, that says what became of it. */
function helpers(all: Sight): Visibility {
  return sights(all, { failureMarks: 'shown', retrievals: all, memory: all, handoffs: all, humanInputs: all });
}

/** An agent inside one that declares it is part of what was declared. */
function everyAgentDeclares(spans: readonly Span[]): boolean {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const declared = new Map<string, boolean>();
  const declares = (span: Span, depth: number): boolean => {
    const known = declared.get(span.spanId);
    if (known !== undefined) return known;
    const own = span.attributes.get(ownAttributes.instrumented) === 'all';
    const above = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
    const answer = own || (above !== undefined && depth < 1_000 && declares(above, depth + 1));
    declared.set(span.spanId, answer);
    return answer;
  };
  const agents = spans.filter(({ attributes }) => attributes.get('gen_ai.operation.name') === 'invoke_agent');
  return agents.length > 0 && agents.every((span) => declares(span, 0));
}

const rows: readonly SightRow[] = [
  {
    of: "helpers of otel-eval/instrument, agentRun({ instrumented: 'all' })",
    scope: /^otel-eval$/,
    when: ({ spans }) => everyAgentDeclares(spans),
    shows: helpers('shown'),
  },
  {
    of: 'helpers of otel-eval/instrument',
    scope: /^otel-eval$/,
    shows: helpers('partly'),
    note: 'shows what the application wraps; whether that is all it does not say',
  },
  { of: 'OpenAI client, OTel JavaScript', scope: /^@opentelemetry\/instrumentation-openai$/, shows: modelCallsAlone },
  {
    of: 'OpenAI client, Elastic',
    scope: /^@elastic\/opentelemetry-instrumentation-openai$/,
    shows: { ...modelCallsAlone, modelCalls: 'partly', failedModelCalls: 'partly' },
    note: 'without content it loses every model call whose history holds a plain answer',
  },
  {
    of: 'clients of model providers, OTel Python (openai-v2, google-genai, vertexai, bedrock)',
    scope: /^opentelemetry\.instrumentation\.(openai_v2|google_genai|vertexai|botocore[\w.-]*)$/,
    shows: modelCallsAlone,
  },
  {
    of: 'agent frameworks, OTel genai packages',
    scope: /^opentelemetry\.instrumentation\.genai\.\w*agents$/,
    shows: toolsAlone,
    note: 'no model spans',
  },
  {
    of: 'clients of model providers, OTel genai packages',
    scope:
      /^opentelemetry\.instrumentation\.genai\.(openai|anthropic|google_genai|vertexai|bedrock|cohere|mistralai|groq)$/,
    shows: modelCallsAlone,
  },
  // Anybody can write these keys: what an unknown scope leaves out nobody knows.
  {
    of: 'any other scope that writes the GenAI conventions',
    shows: sights('hidden', { failureMarks: 'partly' }),
    note: 'the messages of the run may prove what happened, or your word (--instrumented)',
  },
];

/** The conventions as they stand (semconv-genai v0.1.0, core v1.37 to v1.41) and before, whoever writes them. */
export const otelGenAi: Dialect = {
  name: 'otel-genai',
  scopes:
    /^(otel-eval|@opentelemetry\/instrumentation-openai|@elastic\/opentelemetry-instrumentation-openai|opentelemetry\.instrumentation\.(openai_v2|google_genai|vertexai|botocore[\w.-]*|genai\.\w+))$/,
  keys: ['gen_ai.operation.name'],
  kind: ({ attributes }) => operationKind(attributes.get('gen_ai.operation.name')),
  facts: semconvFacts,
  sights: rows,
};
