import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { isObject } from '../content.ts';
import { semconvCost } from '../cost.ts';
import type { Dialect, LayerKind, SightRow } from '../dialect.ts';
import { documents } from '../documents.ts';
import {
  asText,
  content,
  firstOf,
  member,
  nameAfter,
  type Reader,
  spanName,
  text,
  through,
  usage,
} from '../reading.ts';
import type { Json, Message } from '../run.ts';
import { sights } from '../visibility.ts';
import { flattenedMessages } from './flattened-messages.ts';
import { langChainCallId, langChainMark, langChainResult } from './langchain.ts';
import { messages, realId } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  LLM: 'model',
  AGENT: 'agent',
  TOOL: 'tool',
  RETRIEVER: 'retrieval',
  RERANKER: 'other',
  EMBEDDING: 'other',
  GUARDRAIL: 'guardrail',
  EVALUATOR: 'other',
  PROMPT: 'other',
};

const kindKey = 'openinference.span.kind';

function kind(span: Span, trace: Trace): LayerKind | undefined {
  const told = span.attributes.get(kindKey);
  if (typeof told !== 'string') return undefined;
  if (told === 'TOOL' && /^handoff( |_to_)/i.test(span.name)) return 'handoff';
  const known = kinds[told];
  if (known !== undefined) return known;
  return told === 'CHAIN' && topmost(span, trace) ? 'agent' : 'other';
}

/** A chain at the top, or right below a tool, is a run of its own. */
function topmost(span: Span, trace: Trace): boolean {
  const parent = span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
  if (parent === undefined) return span.parentSpanId === undefined;
  const above = parent.attributes.get(kindKey);
  return above === 'TOOL' || above === undefined;
}

const input = content('input.value');
const output = content('output.value');

/** `{ args, kwargs }` as Python calls are written, with what the framework adds beside. */
function given(value: Json): Json | undefined {
  if (isObject(value) && isObject(value['kwargs'])) return value['kwargs'];
  return value;
}

/** The whole payload tells more than the flattened keys, where it can be read. */
function payloadOrFlattened(
  payload: Reader<readonly Message[]>,
  flat: Reader<readonly Message[]>,
): Reader<readonly Message[]> {
  return (span, trace) => {
    const found = payload(span, trace);
    const told = found?.value.some(
      ({ toolCalls, toolResults, role }) => toolCalls.length > 0 || toolResults.length > 0 || role !== '',
    );
    return told === true ? found : (flat(span, trace) ?? found);
  };
}

const packages = (names: string): RegExp =>
  new RegExp(`(?:openinference\\.instrumentation\\.|openinference-instrumentation-)(${names})$`);

/** Instrumentations of frameworks make a span for every tool call; those of model providers for model calls only. */
const rows: readonly SightRow[] = [
  {
    of: 'LangChain and LangGraph, OpenInference',
    scope: packages('langchain'),
    shows: sights('shown', { failureMarks: 'shown', retrievals: 'shown', humanInputs: 'partly' }),
  },
  {
    of: 'smolagents, OpenInference',
    scope: packages('smolagents'),
    shows: sights('shown', { callIds: 'hidden', failureMarks: 'shown' }),
  },
  {
    of: 'Google ADK, OpenInference',
    scope: packages('google[_-]adk'),
    shows: sights('shown', { failureMarks: 'partly', handoffs: 'shown' }),
  },
  {
    of: 'AutoGen and Claude Agent SDK, OpenInference',
    scope: packages('autogen[_-]agentchat|claude[_-]agent[_-]sdk'),
    shows: sights('shown', {
      modelCalls: 'hidden',
      failedModelCalls: 'hidden',
      usage: 'hidden',
      failureMarks: 'partly',
    }),
    note: 'no model spans',
  },
  {
    of: 'clients of model providers, OpenInference',
    scope: packages('openai|anthropic|bedrock|mistralai|groq|vertexai|google[_-]genai|litellm|together|ollama|portkey'),
    shows: sights('shown', {
      failedModelCalls: 'hidden',
      toolCalls: 'hidden',
      failedToolCalls: 'hidden',
      subAgents: 'hidden',
    }),
    note: 'tools run in the application; a rejected call leaves no span in JavaScript',
  },
  {
    of: 'other packages, and spans made by hand, OpenInference',
    shows: sights('hidden', { failureMarks: 'partly' }),
    note: 'what they leave out nobody knows; the messages of the run may prove it',
  },
];

export const openInference: Dialect = {
  name: 'openinference',
  scopes: /^(openinference\.instrumentation|@arizeai\/openinference)/,
  keys: [kindKey],
  kind,
  facts: {
    conversation: firstOf(
      text('session.id'),
      asText(member(content('metadata'), 'thread_id')),
      asText(member(content('metadata'), 'session_id')),
      asText(member(content('metadata'), 'conversation_id')),
    ),
    agent: firstOf(
      text('agent.name', 'graph.node.name'),
      asText(member(content('metadata'), 'lc_agent_name')),
      through(spanName, (name) => name.replace(/\.run$/, '')),
    ),
    toolName: firstOf(text('tool.name'), spanName),
    callId: through(firstOf(text('tool.id', 'tool_call.id', 'gen_ai.tool.call.id'), langChainCallId(output)), realId),
    arguments: through(input, given),
    result: langChainResult(output),
    toolMark: langChainMark(output),
    model: text('llm.model_name', 'llm.response.model_name', 'llm.request.model_name'),
    responseId: asText(member(output, 'id')),
    finish: text('llm.finish_reason'),
    usage: usage({
      input: ['llm.token_count.prompt'],
      output: ['llm.token_count.completion'],
      cachedInput: ['llm.token_count.prompt_details.cache_read', 'llm.token_count.prompt_details.cache_input'],
      reasoning: ['llm.token_count.completion_details.reasoning'],
    }),
    inputMessages: payloadOrFlattened(messages('', 'input.value'), flattenedMessages('llm.input_messages')),
    outputMessages: payloadOrFlattened(messages('', 'output.value'), flattenedMessages('llm.output_messages')),
    cost: semconvCost,
    documents,
    handoffTo: nameAfter('handoff_to_', 'handoff to '),
  },
  sights: rows,
  ownTools: /^final_answer$/,
  // JavaScript writes class names without their package.
  controlFlow: /^(GraphInterrupt|NodeInterrupt|ParentCommand|GraphBubbleUp)$/,
};
