import type { Dialect, SightQuestion } from '../dialect.ts';
import { sights, type Visibility } from '../visibility.ts';
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
});

interface Row {
  readonly scope: RegExp;
  readonly shows: Visibility;
}

const instrumentations: readonly Row[] = [
  // Our own helpers: whoever writes an agent with them wraps every call, and each makes a span whether it fails or not.
  { scope: /^otel-eval$/, shows: sights('shown') },
  { scope: /^@opentelemetry\/instrumentation-openai$/, shows: modelCallsAlone },
  // Without content capture it loses every model call whose history holds a plain answer.
  {
    scope: /^@elastic\/opentelemetry-instrumentation-openai$/,
    shows: { ...modelCallsAlone, modelCalls: 'partly', failedModelCalls: 'partly' },
  },
  {
    scope: /^opentelemetry\.instrumentation\.(openai_v2|google_genai|vertexai|botocore[\w.]*)$/,
    shows: modelCallsAlone,
  },
  // The agents package writes agents and tools, and no model call.
  { scope: /^opentelemetry\.instrumentation\.genai\.\w*agents$/, shows: toolsAlone },
  { scope: /^opentelemetry\.instrumentation\.genai\.\w+$/, shows: modelCallsAlone },
];

function sight({ scope }: SightQuestion): Visibility {
  // Anybody can write these keys: what an unknown scope leaves out nobody knows.
  return instrumentations.find((row) => row.scope.test(scope))?.shows ?? sights('hidden');
}

/** The conventions as they stand (semconv-genai v0.1.0, core v1.37 to v1.41) and before, whoever writes them. */
export const otelGenAi: Dialect = {
  name: 'otel-genai',
  scopes:
    /^(otel-eval|@opentelemetry\/instrumentation-openai|@elastic\/opentelemetry-instrumentation-openai|opentelemetry\.instrumentation\.(openai_v2|google_genai|vertexai|botocore[\w.]*|genai\.\w+))$/,
  keys: ['gen_ai.operation.name'],
  kind: ({ attributes }) => operationKind(attributes.get('gen_ai.operation.name')),
  facts: semconvFacts,
  sight,
};
