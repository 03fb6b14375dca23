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

const bridge = sights('shown', { callIds: 'hidden', failureMarks: 'shown', handoffs: 'shown' });
const withoutModels: Visibility = { ...bridge, modelCalls: 'partly', failedModelCalls: 'partly', usage: 'partly' };

/** A custom model has no span. Every turn asks a model once. */
function modelIsSilent({ spans }: SightQuestion): boolean {
  const turns = spans.filter(({ name }) => name === 'turn').length;
  const models = spans.filter(({ attributes }) => attributes.get('openinference.span.kind') === 'LLM').length;
  return turns > models || models === 0;
}

function listsTools({ name, attributes }: Span): boolean {
  if (attributes.has('tool.name') || attributes.has('input.value')) return false;
  const output = attributes.get('output.value');
  return /^mcp/i.test(name) || (typeof output === 'string' && /^\s*\[\s*"/.test(output));
}

export const agentsOverOpenInference: Dialect = {
  ...openInference,
  name: 'openai-agents-openinference',
  scopes: /openinference[.-]instrumentation[.-]openai[-_]agents$/,
  keys: [],
  // A list of the tools of an MCP server bears the kind of a tool too, and no tool's name.
  kind: (span, trace) => {
    const told = openInference.kind(span, trace);
    return told === 'tool' && listsTools(span) ? 'other' : told;
  },
  sights: [
    {
      of: 'OpenAI Agents SDK with a custom model, OpenInference',
      when: modelIsSilent,
      shows: withoutModels,
      note: 'a custom model has no span',
    },
    { of: 'OpenAI Agents SDK, OpenInference', shows: bridge },
  ],
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
  sights: [
    {
      of: 'OpenAI Agents SDK, OTel genai-openai-agents',
      scope: /\.genai\./,
      shows: toolsAlone,
      note: 'no model spans',
    },
    {
      of: 'OpenAI Agents SDK, OTel openai-agents-v2 or Traceloop',
      when: ({ spans }) => spans.some((span) => kind(span) === 'model'),
      shows: bridge,
    },
    { of: 'OpenAI Agents SDK with a custom model, OTel or Traceloop', shows: withoutModels },
  ],
  silentWait: true,
};
