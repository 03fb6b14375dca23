import type { Dialect } from '../dialect.ts';
import { content, firstWord, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

/** The spans that the Anthropic SDKs write themselves. The tool runner is an agent; a bare client has no tool spans. */
export const anthropic: Dialect = {
  name: 'anthropic-sdk',
  scopes: /^com\.anthropic\.(sdk\.|claude-platform)/,
  kind: ({ attributes }) => operationKind(attributes.get('gen_ai.operation.name')),
  facts: {
    ...semconvFacts,
    conversation: text('gen_ai.conversation.id', 'anthropic.session.thread.id', 'anthropic.session.id'),
    result: content('gen_ai.tool.call.result', 'anthropic.tool_result.content'),
    finish: firstWord('anthropic.message.stop_reason', 'gen_ai.response.finish_reasons'),
  },
  sights: [
    {
      of: 'Anthropic SDK, tool runner',
      when: ({ spans }) => spans.some(({ attributes }) => attributes.get('gen_ai.operation.name') === 'invoke_agent'),
      shows: sights('shown', { failureMarks: 'shown', memory: 'partly' }),
    },
    {
      of: 'Anthropic SDK, client alone',
      shows: sights('shown', { toolCalls: 'hidden', failedToolCalls: 'hidden', subAgents: 'hidden' }),
      note: 'tools run in the application',
    },
  ],
};
