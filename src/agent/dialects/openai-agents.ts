import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind, SightQuestion } from '../dialect.ts';
import { firstOf, nameAfter, text } from '../reading.ts';
import { sights, type Visibility } from '../visibility.ts';
import { openInference } from './openinference.ts';
import { toolsAlone } from './otel-genai.ts';
import { operationKind, semconvFacts } from './semconv.ts';
import { traceloop, traceloopKind } from './traceloop.ts';

// The OpenAI Agents SDK traces to its own processors; what it does not tell them no bridge can show: call ids of tools,
// and whether a tool waits for a person.

/** A custom model has no span. Every turn asks a model once. */
function agentsSight({ spans }: SightQuestion): Visibility {
  const turns = spans.filter(({ name }) => name === 'turn').length;
  const models = spans.filter(({ attributes }) => attributes.get('openinference.span.kind') === 'LLM').length;
  const silent = turns > models || models === 0;
  return silent
    ? sights('shown', { modelCalls: 'partly', failedModelCalls: 'partly', usage: 'partly' })
    : sights('shown');
}

export const agentsOverOpenInference: Dialect = {
  ...openInference,
  name: 'openai-agents-openinference',
  scopes: /openinference[.-]instrumentation[.-]openai[-_]agents$/,
  keys: [],
  sight: agentsSight,
  silentWait: true,
};

/** Two packages bear one scope name: OTel's with operations of the conventions, Traceloop's with kinds of its own. */
function kind(span: Span): LayerKind | undefined {
  const { attributes, name } = span;
  if (attributes.has('traceloop.span.kind')) return traceloopKind(span);
  if (name.startsWith('agent_handoff')) return 'handoff';
  return (
    operationKind(attributes.get('gen_ai.operation.name')) ?? (attributes.has('llm.request.type') ? 'model' : undefined)
  );
}

export const agentsOverOtel: Dialect = {
  name: 'openai-agents-otel',
  scopes: /^opentelemetry\.instrumentation\.(genai\.)?openai_agents(_v2)?$/,
  kind,
  facts: {
    ...traceloop.facts,
    agent: firstOf(
      text('gen_ai.agent.name', 'gen_ai.workflow.name'),
      nameAfter('invoke_agent ', 'invoke_workflow '),
      text('traceloop.entity.name'),
    ),
    toolName: firstOf(text('gen_ai.tool.name', 'traceloop.entity.name'), nameAfter('execute_tool ')),
    finish: semconvFacts.finish ?? text(),
    handoffFrom: text('gen_ai.handoff.from_agent'),
    handoffTo: text('gen_ai.handoff.to_agent'),
  },
  sight: ({ scope, spans }) => {
    if (/\.genai\./.test(scope)) return toolsAlone;
    const models = spans.some((span) => kind(span) === 'model');
    return sights('shown', models ? {} : { modelCalls: 'partly', failedModelCalls: 'partly', usage: 'partly' });
  },
  silentWait: true,
};
