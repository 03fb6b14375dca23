import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { isObject } from '../content.ts';
import { costDetails } from '../cost.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { content, type Reader, spanName, text } from '../reading.ts';
import type { Json, Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { langChainCallId, langChainMark, langChainResult } from './langchain.ts';
import { messages } from './semconv.ts';

const typeKey = 'langfuse.observation.type';

const kinds: Readonly<Record<string, LayerKind>> = {
  generation: 'model',
  agent: 'agent',
  tool: 'tool',
  retriever: 'retrieval',
  guardrail: 'guardrail',
};

function kind(span: Span, trace: Trace): LayerKind | undefined {
  const type = span.attributes.get(typeKey);
  if (typeof type !== 'string') return undefined;
  const known = kinds[type];
  if (known !== undefined) return known;
  const parent = span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
  const above = parent?.attributes.get(typeKey);
  return (type === 'span' || type === 'chain') && (above === undefined || above === 'tool') ? 'agent' : 'other';
}

const output = content('langfuse.observation.output');

/** Langfuse counts by kind of token: cached and reasoning tokens stand beside `input` and `output`, not in them. */
const usage: Reader<Usage> = (span, trace) => {
  const found = content('langfuse.observation.usage_details')(span, trace);
  if (found === undefined || !isObject(found.value)) return undefined;
  const { value } = found;
  return {
    value: {
      input: sumOf(value, 'input') ?? sumOf(value, 'prompt'),
      output: sumOf(value, 'output') ?? sumOf(value, 'completion'),
      cachedInput: numberOf(value['input_cache_read'] ?? value['input_cached_tokens']),
      reasoning: numberOf(value['output_reasoning'] ?? value['output_reasoning_tokens']),
    },
    from: found.from,
  };
};

function sumOf(details: { readonly [key: string]: Json }, start: string): number | null {
  const counts = Object.entries(details).filter(([key, value]) => key.startsWith(start) && typeof value === 'number');
  return counts.length === 0 ? null : counts.reduce((sum, [, value]) => sum + Number(value), 0);
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** What LangChain knows of each of its runs goes into the metadata. */
const langChainKey = /^langfuse\.observation\.metadata\.(ls_|langgraph_|lc_)/;
const langChainText = /"(ls_model_type|ls_provider|langgraph_node|lc_agent_name)"/;

function fromLangChain({ attributes }: Span): boolean {
  const whole = attributes.get('langfuse.observation.metadata');
  if (typeof whole === 'string' && langChainText.test(whole)) return true;
  return [...attributes.keys()].some((key) => langChainKey.test(key));
}

const steering = /^(GraphInterrupt|NodeInterrupt|ParentCommand|GraphBubbleUp)\b/;

/** Nothing is ever ERROR: the level tells of failures, and its message which exception it was. */
const toolMark: Reader<ToolMark> = (span, trace) => {
  if (span.attributes.get('langfuse.observation.level') !== 'ERROR') return langChainMark(output)(span, trace);
  const said = span.attributes.get('langfuse.observation.status_message');
  const steered = typeof said === 'string' && steering.test(said);
  return { value: steered ? 'steered' : 'failed', from: 'langfuse.observation.level' };
};

export const langfuse: Dialect = {
  name: 'langfuse',
  scopes: /^langfuse-sdk$/,
  keys: [typeKey],
  kind,
  facts: {
    conversation: text('session.id', 'langfuse.session.id'),
    agent: spanName,
    toolName: spanName,
    callId: langChainCallId(output),
    arguments: content('langfuse.observation.input'),
    result: langChainResult(output),
    toolMark,
    failed: (span) =>
      span.attributes.get('langfuse.observation.level') === 'ERROR'
        ? { value: true, from: 'langfuse.observation.level' }
        : undefined,
    model: text('langfuse.observation.model.name'),
    usage,
    cost: costDetails('langfuse.observation.cost_details'),
    inputMessages: messages('', 'langfuse.observation.input'),
    outputMessages: messages('assistant', 'langfuse.observation.output'),
  },
  sights: [
    {
      of: 'LangChain and LangGraph, callback handler of Langfuse',
      when: ({ spans }) => spans.some(fromLangChain),
      shows: sights('shown', { failureMarks: 'shown', retrievals: 'shown', humanInputs: 'partly' }),
    },
    {
      of: 'Langfuse SDK, wrapped by hand',
      shows: sights('partly', { failureMarks: 'partly' }),
      note: 'shows what the application wraps',
    },
  ],
};
