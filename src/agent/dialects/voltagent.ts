import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { content, firstOf, nameAfter, type Reader, text, usage } from '../reading.ts';
import type { Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  agent: 'agent',
  workflow: 'agent',
  tool: 'tool',
  llm: 'loop',
  memory: 'memory',
  retriever: 'retrieval',
  guardrail: 'guardrail',
};

function kind({ attributes, parentSpanId }: Span): LayerKind | undefined {
  const type = attributes.get('span.type');
  if (typeof type === 'string') return kinds[type] ?? 'other';
  return parentSpanId === undefined && attributes.has('voltagent.operation_id') ? 'agent' : undefined;
}

const totals = usage({
  input: ['usage.prompt_tokens'],
  output: ['usage.completion_tokens'],
  cachedInput: ['usage.cached_tokens'],
  reasoning: ['usage.reasoning_tokens'],
});

/** The agent holds the sum. A model span stands for all calls of a run and has the figures of the last one only. */
const agentUsage: Reader<Usage> = (span, trace) => (kind(span) === 'agent' ? totals(span, trace) : undefined);

export const voltagent: Dialect = {
  name: 'voltagent',
  scopes: /^@voltagent\//,
  keys: ['voltagent.operation_id', 'voltagent.conversation_id'],
  kind,
  facts: {
    run: text('voltagent.operation_id'),
    conversation: text('voltagent.conversation_id', 'conversation.id'),
    agent: firstOf(text('voltagent.label', 'agent.name', 'entity.name')),
    toolName: firstOf(text('tool.name'), nameAfter('tool.execution:')),
    callId: text('tool.call.id'),
    arguments: content('input'),
    result: content('output'),
    model: text('llm.model', 'ai.model.name'),
    finish: text('llm.finish_reason'),
    usage: agentUsage,
    inputMessages: messages('user', 'llm.messages'),
  },
  sights: [
    {
      of: 'VoltAgent',
      shows: sights('shown', {
        modelCalls: 'partly',
        failedModelCalls: 'partly',
        failureMarks: 'partly',
        memory: 'partly',
      }),
      note: 'one model span stands for all calls of a run',
    },
  ],
  agentTotals: true,
};
