import { recoveryClassified } from '../../../assertions/recovery-classified.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { toolSpan } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const scope = 'com.anthropic.sdk.tool-runner';
const refund = { order_id: 'ORD-1001', amount: 40, idempotency_key: 'k-1' };

const message = (role: string, ...parts: object[]): object => ({ role, parts });
const text = (content: string): object => ({ type: 'text', content });
const asks = (id: string): object => ({ type: 'tool_call', id, name: 'issue_refund', arguments: refund });
const answers = (id: string, response: unknown): object => ({ type: 'tool_call_response', id, response });

function chat(id: string, start: number, input: readonly object[], output: object): SpanSketch {
  return {
    id,
    parent: '1',
    name: 'chat scripted-1',
    kind: 'client',
    scope,
    start,
    end: start + 50,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted-1',
      'gen_ai.agent.name': 'order-support',
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([output]),
    },
  };
}

export interface RecoveryStory {
  /** Result of the second try. */
  readonly second?: unknown;
  readonly final?: string;
}

/** A refund that times out, is tried again with the same key, and what is said at the end. */
export function recoveryStory({
  second = { refunded: 40, replayed: true },
  final = 'The refund is completed.',
}: RecoveryStory = {}): SpanSketch[] {
  const history = [
    message('user', text('Please refund ORD-1001.')),
    message('assistant', asks('c1')),
    message('tool', answers('c1', { error: 'no answer after 30 s' })),
    message('assistant', asks('c2')),
    message('tool', answers('c2', second)),
  ];
  const failed = toolSpan('3', 110, { id: 'c1', name: 'issue_refund', arguments: refund });
  return [
    {
      id: '1',
      name: 'invoke_agent order-support',
      scope,
      start: 0,
      end: 500,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'order-support' },
    },
    chat('2', 10, history.slice(0, 1), message('assistant', asks('c1'))),
    { ...failed, status: 'error', attributes: { ...failed.attributes, 'error.type': 'TimeoutError' } },
    chat('4', 160, history.slice(0, 3), message('assistant', asks('c2'))),
    toolSpan('5', 260, { id: 'c2', name: 'issue_refund', arguments: refund, result: second }),
    chat('6', 310, history, message('assistant', text(final))),
  ];
}

const wanted = ['recovered', 'clean_abort'];

export const recoveryMutations: MutationTable = {
  assertion: recoveryClassified,
  mutations: [
    {
      what: 'the second try failed too, and the message says that it is done',
      parameters: { budget: 'unlimited' },
      before: recoveryStory(),
      after: recoveryStory({ second: { error: 'no answer after 30 s' } }),
      findings: [
        {
          code: 'unexpected-label',
          arguments: {
            wanted,
            label: 'failed',
            reasons: ['false_report'],
            reaction: 'retry_same',
            fault: 'timeout on "issue_refund"',
          },
          spans: ['3'],
        },
      ],
    },
    {
      what: 'recovered is not what is wanted',
      parameters: { budget: 'unlimited', expect: ['failed'] },
      before: recoveryStory({ second: { error: 'no answer after 30 s' } }),
      after: recoveryStory(),
      findings: [
        {
          code: 'unexpected-label',
          arguments: {
            wanted: ['failed'],
            label: 'recovered',
            reasons: [],
            reaction: 'retry_same',
            fault: 'timeout on "issue_refund"',
          },
          spans: ['3'],
        },
      ],
    },
  ],
};
