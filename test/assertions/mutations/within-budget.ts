import { withinBudget } from '../../../assertions/within-budget.ts';
import { changed, orderStory, setAttributes, toolSpan, withMore } from '../order-story.ts';
import type { ExpectedFinding, Mutation, MutationTable } from './mutation.ts';

const source = 'pilot of 2026-11-20, 40 runs, p95';
const plain = { id: '8', parent: '1', name: 'GET /stock', start: 410, end: 420 };
const refund = (id: string, order: string) =>
  toolSpan(id, 410, { id: `c${id}`, name: 'issue_refund', arguments: { order_id: order, amount: 40 }, result: {} });
const longer = changed('6', (span) => {
  span.end = 900;
});
const fourthTurn = { ...orderStory()[6]!, id: '8', start: 410 };
setAttributes(fourthTurn, { 'gen_ai.response.id': 'r4' });
const moreTokens = (key: string) => changed('6', (span) => setAttributes(span, { [key]: 1000 }));

function over(what: string, max: number, used: number, spans: readonly string[] = []): readonly ExpectedFinding[] {
  return [{ code: 'over-budget', arguments: { what, max, used, source }, spans }];
}

const attempts = (more: object) => ({ toolAttempts: { max: 1, source, ...more } });
const mutations: readonly Mutation[] = [
  {
    what: 'a span more',
    parameters: { spans: { max: 7, source } },
    after: withMore(plain),
    findings: over('spans', 7, 8),
  },
  {
    what: 'a step more',
    parameters: { steps: { max: 7, source } },
    after: withMore(refund('8', 'ORD-2')),
    findings: over('steps', 7, 8),
  },
  {
    what: 'a model call more',
    parameters: { modelCalls: { max: 3, source } },
    after: withMore(fourthTurn),
    findings: over('model calls', 3, 4, ['2', '4', '6', '8']),
  },
  {
    what: 'a tool call more',
    parameters: { toolCalls: { max: 2, source } },
    after: withMore(refund('8', 'ORD-2')),
    findings: over('tool calls', 2, 3, ['3', '5', '8']),
  },
  {
    what: 'an attempt more of one tool',
    parameters: attempts({}),
    after: withMore(refund('8', 'ORD-2')),
    findings: over('attempts of "issue_refund"', 1, 2, ['5', '8']),
  },
  {
    what: 'an attempt more of one operation',
    parameters: attempts({ per: 'operation' }),
    before: withMore(refund('8', 'ORD-2')),
    after: withMore(refund('8', 'ORD-1001')),
    findings: over('attempts of one operation of "issue_refund"', 1, 2, ['5', '8']),
  },
  {
    what: 'more input tokens',
    parameters: { inputTokens: { max: 300, source } },
    after: moreTokens('gen_ai.usage.input_tokens'),
    findings: over('input tokens', 300, 1200),
  },
  {
    what: 'more output tokens',
    parameters: { outputTokens: { max: 30, source } },
    after: moreTokens('gen_ai.usage.output_tokens'),
    findings: over('output tokens', 30, 1020),
  },
  {
    what: 'more tokens together',
    parameters: { totalTokens: { max: 330, source } },
    after: moreTokens('gen_ai.usage.output_tokens'),
    findings: over('tokens', 330, 1320),
  },
  {
    what: 'a later end',
    parameters: { durationMs: { max: 500, source } },
    after: longer,
    findings: over('milliseconds', 500, 900),
  },
];

export const withinBudgetMutations: MutationTable = { assertion: withinBudget, mutations };
