import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import {
  asCount,
  asText,
  content,
  firstOf,
  firstWord,
  member,
  type Reader,
  spanName,
  text,
  through,
  unlessEmpty,
} from '../reading.ts';
import type { Cost, Json, Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { langChainCallId, langChainMark, langChainResult } from './langchain.ts';
import { messages, realId, semconvFacts, semconvUsage } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  llm: 'model',
  tool: 'tool',
  retriever: 'retrieval',
};

/** One span per run; `langsmith.span.kind` is the run's type. */
function kind(span: Span): LayerKind | undefined {
  const told = span.attributes.get('langsmith.span.kind');
  if (typeof told !== 'string') return undefined;
  const known = kinds[told];
  if (known !== undefined) return known;
  return told === 'chain' && span.parentSpanId === undefined ? 'agent' : 'other';
}

const details: Reader<Json> = content('langsmith.usage_metadata', 'langsmith.metadata.usage_metadata');

const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

/** Newer versions write the details beside the counts. */
function cachedBeside(span: Span, trace: Trace): number | null {
  const found = content('gen_ai.usage.input_token_details')(span, trace)?.value;
  return isObject(found) ? number(found['cache_read']) : null;
}

const usage: Reader<Usage> = (span, trace) => {
  const told = semconvUsage(span, trace);
  const found = details(span, trace);
  const meta = found !== undefined && isObject(found.value) ? found.value : {};
  const from = told?.from ?? found?.from;
  if (from === undefined) return undefined;
  const [given, taken] = [meta['input_token_details'], meta['output_token_details']];
  return {
    value: {
      input: told?.value.input ?? number(meta['input_tokens']),
      output: told?.value.output ?? number(meta['output_tokens']),
      cachedInput: isObject(given) ? number(given['cache_read']) : cachedBeside(span, trace),
      reasoning: isObject(taken) ? number(taken['reasoning']) : null,
    },
    from,
  };
};

const none: Reader<Cost> = () => undefined;

const totalCost: Reader<Cost> = through(asCount(member(details, 'total_cost')), (amount) => ({
  amount,
  currency: null,
}));

// Hidden inputs and outputs are written as `{}`.
const output = unlessEmpty(content('gen_ai.completion'));

function renamed({ name, attributes }: Span): boolean {
  const told = attributes.get('langsmith.trace.name');
  return typeof told === 'string' && told !== name;
}

export const langsmith: Dialect = {
  name: 'langsmith',
  scopes: /^langsmith/,
  keys: ['langsmith.span.kind'],
  kind,
  facts: {
    ...semconvFacts,
    run: text('langsmith.trace.id'),
    conversation: text(
      'langsmith.metadata.thread_id',
      'langsmith.metadata.session_id',
      'langsmith.metadata.conversation_id',
    ),
    agent: firstOf(text('langsmith.metadata.lc_agent_name', 'langsmith.trace.name'), spanName),
    toolName: firstOf(text('gen_ai.tool.name', 'langsmith.trace.name'), spanName),
    callId: firstOf(through(text('gen_ai.tool.call.id'), realId), langChainCallId(output)),
    arguments: unlessEmpty(content('gen_ai.prompt')),
    result: langChainResult(output),
    toolMark: langChainMark(output),
    model: text('gen_ai.response.model', 'gen_ai.request.model'),
    finish: firstOf(
      firstWord('gen_ai.response.finish_reasons'),
      asText(member(output, 'choices', '0', 'finish_reason')),
    ),
    usage,
    cost: firstOf(semconvFacts.cost ?? none, totalCost),
    inputMessages: messages('user', 'gen_ai.prompt'),
    outputMessages: messages('assistant', 'gen_ai.completion'),
  },
  sights: [
    {
      of: 'LangSmith, with a streamed call of a traced function',
      when: ({ spans }) => spans.some((span) => span.attributes.get('langsmith.span.kind') === 'llm' && renamed(span)),
      shows: sights('shown', {
        modelCalls: 'partly',
        failedModelCalls: 'partly',
        usage: 'partly',
        failureMarks: 'shown',
        retrievals: 'shown',
      }),
      note: 'it overwrites the run around it',
    },
    { of: 'LangSmith', shows: sights('shown', { failureMarks: 'shown', retrievals: 'shown', humanInputs: 'partly' }) },
  ],
  controlFlow: /^(GraphInterrupt|NodeInterrupt|ParentCommand|GraphBubbleUp)$/,
};
