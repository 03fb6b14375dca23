import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { firstOf, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { messages, operationKind, semconvFacts, semconvInput } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  agent_run: 'agent',
  workflow_run: 'agent',
  model_generation: 'loop',
  model_inference: 'model',
  model_step: 'other',
  model_chunk: 'phantom',
  tool_call: 'tool',
  mcp_tool_call: 'tool',
  provider_tool_call: 'tool',
  client_tool_call: 'tool',
  memory_operation: 'memory',
  workflow_wait_event: 'human-input',
};

function kind({ attributes }: Span): LayerKind | undefined {
  const type = attributes.get('mastra.span.type');
  if (typeof type !== 'string') return operationKind(attributes.get('gen_ai.operation.name'));
  // Where no span tells of the single calls, the span around the loop says `chat`.
  if (type === 'model_generation' && attributes.get('gen_ai.operation.name') === 'chat') return 'model';
  return kinds[type] ?? 'other';
}

export const mastra: Dialect = {
  name: 'mastra',
  scopes: /^@mastra\//,
  keys: ['mastra.span.type'],
  kind,
  facts: {
    ...semconvFacts,
    run: text('mastra.metadata.runId'),
    // It runs in the caller's program, and what became of it comes back in another request.
    toolMark: ({ attributes }) =>
      attributes.get('mastra.span.type') === 'client_tool_call'
        ? { value: 'untold', from: 'mastra.span.type' }
        : undefined,
    conversation: text('gen_ai.conversation.id', 'mastra.metadata.threadId'),
    inputMessages: firstOf(semconvInput, messages('user', 'mastra.model_step.input')),
  },
  sights: [
    {
      of: 'Mastra before its own kinds of spans',
      when: ({ spans }) => !spans.some(({ attributes }) => attributes.has('mastra.span.type')),
      shows: sights('hidden', { failureMarks: 'partly' }),
    },
    {
      of: 'Mastra',
      shows: sights('shown', { failureMarks: 'shown', memory: 'shown', humanInputs: 'partly' }),
    },
  ],
};
