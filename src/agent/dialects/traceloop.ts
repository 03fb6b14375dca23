import type { Span } from '../../trace/span.ts';
import { isObject, parsed } from '../content.ts';
import type { Dialect, LayerKind, SightRow, ToolMark } from '../dialect.ts';
import { asText, content, firstOf, member, type Reader, text, through } from '../reading.ts';
import type { Json } from '../run.ts';
import { sights } from '../visibility.ts';
import { langChainCallId, langChainMark, langChainName, langChainResult } from './langchain.ts';
import { operationKind, realId, semconvFacts } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  workflow: 'agent',
  agent: 'agent',
  tool: 'tool',
  task: 'other',
  session: 'other',
};

export function traceloopKind({ attributes }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  const told = attributes.get('traceloop.span.kind');
  if (typeof told === 'string') return kinds[told] ?? 'other';
  return attributes.has('llm.request.type') ? 'model' : undefined;
}

/** `{ args: [], kwargs: {…} }`, `{ inputs: {…} }`, `{ tool_name, arguments }`: envelopes around the arguments. */
function given(value: Json): Json | undefined {
  if (!isObject(value)) return value;
  for (const key of ['inputs', 'arguments', 'tool_kwargs', 'kwargs', 'input']) {
    const inner = value[key];
    if (isObject(inner)) return inner;
  }
  const { args } = value;
  if (args === undefined) return value;
  // LangChain's JavaScript package hands over the one argument, often as JSON text.
  const [only] = Array.isArray(args) && args.length === 1 ? (args as readonly Json[]) : [];
  return typeof only === 'string' ? parsed(only) : only;
}

const result: Reader<Json> = through(content('traceloop.entity.output'), (value) =>
  isObject(value) && value['result'] !== undefined && value['is_error'] === undefined
    ? (value['result'] as Json)
    : value,
);

const providers =
  /(openai|openai\.v[01]|anthropic|bedrock|cohere|vertexai|google-generativeai|google_generativeai|mistralai|groq|ollama|together|replicate|watsonx|writer|azure|sagemaker|alephalpha|transformers|voyageai)$/;

const modelsAlone = sights('hidden', { modelCalls: 'shown', toolNames: 'shown', content: 'shown', usage: 'shown' });
const tools = sights('hidden', { toolCalls: 'shown', toolNames: 'shown', arguments: 'shown', results: 'shown' });

/** What a package of OpenLLMetry is for decides what it can show. */
const rows: readonly SightRow[] = [
  {
    of: 'clients of model providers, Traceloop',
    scope: providers,
    shows: modelsAlone,
    note: 'a rejected model call leaves no span',
  },
  { of: 'LlamaIndex.TS, Traceloop', scope: /^@traceloop\/instrumentation-llamaindex$/, shows: modelsAlone },
  {
    of: 'MCP, Traceloop',
    scope: /mcp$/,
    shows: sights('hidden', { toolCalls: 'partly', toolNames: 'shown', failedToolCalls: 'partly' }),
  },
  {
    of: 'functions wrapped with the SDK of Traceloop, JavaScript',
    scope: /^@traceloop\/node-server-sdk$/,
    shows: { ...tools, subAgents: 'partly' },
    note: 'a wrapped function that throws never ends its span',
  },
  {
    of: 'functions wrapped with the SDK of Traceloop, Python',
    scope: /^traceloop\.tracer$/,
    shows: { ...tools, failedToolCalls: 'shown', subAgents: 'partly', failureMarks: 'shown' },
  },
  {
    of: 'Agno, Traceloop',
    scope: /agno$/,
    shows: { ...tools, failedToolCalls: 'partly', subAgents: 'partly' },
    note: 'failures are told in results only',
  },
  {
    of: 'CrewAI and Haystack, Traceloop',
    scope: /(crewai|haystack)$/,
    shows: sights('hidden', { subAgents: 'partly' }),
    note: 'crews, agents, tasks and pipelines; neither tools nor models',
  },
  {
    of: 'LangChain and LangGraph, Traceloop',
    scope: /langchain$/,
    // A package of OTel bears the same scope and writes model calls alone.
    when: ({ spans }) => spans.some((span) => traceloopKind(span) !== 'model'),
    shows: sights('shown', { failureMarks: 'shown', retrievals: 'partly', humanInputs: 'partly' }),
  },
  { of: 'models under LangChain, OTel Python', scope: /langchain$/, shows: modelsAlone },
  {
    of: 'other packages of OpenLLMetry',
    shows: sights('hidden', { failureMarks: 'partly' }),
    note: 'what they leave out nobody knows; the messages of the run may prove it',
  },
];

/** Class names of LangChain: the tool's own name is in its answer only. */
const className = /^(Dynamic)?(Structured)?Tool$/;

const ownName = through(text('gen_ai.tool.name', 'tool.name', 'traceloop.entity.name'), (name) =>
  className.test(name) ? undefined : name,
);

const envelope = content('gen_ai.tool.call.arguments', 'traceloop.entity.input');
const output = content('traceloop.entity.output');

/** Agno's result is Python's text of an object: whether it failed is only in there. */
const toolMark: Reader<ToolMark> = (span, trace) => {
  const failed = output(span, trace);
  if (typeof failed?.value === 'string' && /\bstatus='failure'/.test(failed.value))
    return { value: 'failed', from: failed.from };
  return langChainMark(output)(span, trace);
};

export const traceloop: Dialect = {
  name: 'traceloop',
  scopes:
    /^(@traceloop\/|traceloop\.|opentelemetry\.instrumentation\.(openai\.v[01]|anthropic|bedrock|cohere|alephalpha|google_generativeai|groq|mistralai|ollama|replicate|sagemaker|together|transformers|watsonx|writer|voyageai|llamaindex|langchain|crewai|agno|haystack|mcp)$)/,
  keys: ['traceloop.span.kind', 'traceloop.entity.name', 'gen_ai.prompt.0.role', 'gen_ai.completion.0.role'],
  kind: traceloopKind,
  facts: {
    ...semconvFacts,
    conversation: text(
      'gen_ai.conversation.id',
      'session.id',
      'traceloop.association.properties.session_id',
      'traceloop.association.properties.thread_id',
      'traceloop.association.properties.conversation_id',
    ),
    agent: text('gen_ai.agent.name', 'traceloop.workflow.name', 'traceloop.entity.name'),
    toolName: firstOf(asText(member(content('traceloop.entity.input'), 'tool_name')), langChainName(output), ownName),
    callId: firstOf(
      through(text('gen_ai.tool.call.id'), realId),
      langChainCallId(output),
      asText(member(envelope, 'kwargs', 'tool_call_id')),
    ),
    arguments: firstOf(
      content('tool.arguments'),
      through(content('gen_ai.tool.call.arguments', 'traceloop.entity.input'), given),
    ),
    result: firstOf(content('gen_ai.tool.call.result'), langChainResult(result)),
    toolMark,
  },
  sights: rows,
};
