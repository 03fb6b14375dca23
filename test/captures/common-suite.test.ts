import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { responseContains } from '../../assertions/response-contains.ts';
import { toolCalled } from '../../assertions/tool-called.ts';
import { toolOrder } from '../../assertions/tool-order.ts';
import { toolSucceeded } from '../../assertions/tool-succeeded.ts';
import { withinBudget } from '../../assertions/within-budget.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { Assertion } from '../../src/verdict/assertion.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { recordedCaptures, type Truth, tracesOf } from './capture.ts';
import { judgeCapture } from './judge-capture.ts';

// One suite over every framework: the same verdict everywhere, the one that the ledger says, or inconclusive with a reason.

interface Statement {
  readonly says: string;
  readonly judge: (traces: readonly CollectedTrace[]) => Verdict;
  readonly holds: (truth: Truth) => boolean;
}

function statement<Parameters>(
  says: string,
  assertion: Assertion<Parameters>,
  parameters: object,
  holds: Statement['holds'],
): Statement {
  return { says, judge: (traces) => judgeCapture(assertion, parameters, traces), holds };
}

const calls = (truth: Truth, tool: string) => truth.toolCalls.filter(({ name }) => name === tool);
const lookup = { tool: 'lookup_order' };
const refund = { tool: 'issue_refund' };
const source = 'the script of the stories';

const suite: readonly Statement[] = [
  statement('the trace is joined', executionTraceJoined, {}, () => true),
  statement(
    'at most one refund',
    toolCalled,
    { match: refund, expect: { atMost: 1 } },
    (truth) => calls(truth, 'issue_refund').length <= 1,
  ),
  statement(
    'exactly one look-up',
    toolCalled,
    { match: lookup, expect: { exactly: 1 } },
    (truth) => calls(truth, 'lookup_order').length === 1,
  ),
  statement(
    'the right order is refunded',
    toolCalled,
    { match: { ...refund, arguments: { order_id: 'ORD-2041', amount: 31.5 } }, expect: { atLeast: 1 } },
    (truth) => calls(truth, 'issue_refund').length > 0,
  ),
  statement('no tool failed', toolSucceeded, {}, (truth) =>
    truth.toolCalls.every(({ outcome }) => outcome === 'succeeded'),
  ),
  statement('each operation succeeded in the end', toolSucceeded, { expect: { attempts: 'last' } }, (truth) => {
    const last = new Map(truth.toolCalls.map((call) => [JSON.stringify([call.name, call.arguments]), call.outcome]));
    return [...last.values()].every((outcome) => outcome === 'succeeded');
  }),
  statement(
    'looked up, then refunded',
    toolOrder,
    { mode: 'inOrder', calls: [lookup, refund] },
    (truth) => calls(truth, 'issue_refund').length > 0,
  ),
  statement(
    'no operation is tried twice',
    withinBudget,
    { toolAttempts: { max: 1, per: 'operation', source } },
    (truth) => truth.toolCalls.every(({ attempt }) => attempt === 1),
  ),
  statement(
    'at most three model calls',
    withinBudget,
    { modelCalls: { max: 3, source } },
    (truth) => truth.modelCalls.length <= 3,
  ),
  statement(
    'at most 400 input tokens',
    withinBudget,
    { inputTokens: { max: 400, source } },
    (truth) => truth.usage.input <= 400,
  ),
  statement('the answer promises the refund', responseContains, { text: 'on its way' }, (truth) =>
    truth.effects.includes('issue_refund'),
  ),
];

const words = ['the answer promises the refund', 'the right order is refunded'];
/** Without content and without our stamps nobody knows what a call gave, and which calls were equal. */
const outcomes = ['each operation succeeded in the end', 'no operation is tried twice', 'no tool failed'];

/** What a set-up cannot decide in some story: it does not show the facts. */
const undecided: Readonly<Record<string, readonly string[]>> = {
  'ai-sdk, metadata': words,
  'ai-sdk, content': [],
  'langgraph, metadata': words,
  'langgraph, content': [],
  'openai-agents, metadata': words,
  'openai-agents, content': [],
  'python-langgraph, metadata': [...outcomes, ...words],
  'python-langgraph, content': [],
  'python-pydantic-ai, metadata': [...outcomes, ...words],
  'python-pydantic-ai, content': [],
};

const captures = recordedCaptures().map((capture) => {
  const traces = tracesOf(capture);
  return { ...capture, verdicts: new Map(suite.map(({ says, judge }) => [says, judge(traces)])) };
});

describe.each(suite)('$says', ({ says, holds }) => {
  test('is decided as the ledger says, or not decided, with the reason', () => {
    const wrong = captures.flatMap(({ framework, story, mode, truth, verdicts }) => {
      const { status, missing = [] } = verdicts.get(says) ?? {};
      const right = holds(truth) ? 'passed' : 'failed';
      const isHonest = status === 'inconclusive' && missing.length > 0;
      return status === right || isHonest ? [] : [`${framework}, ${story}, ${mode}: ${status}, in truth ${right}`];
    });
    expect(wrong).toEqual([]);
  });

  test('is true of some story and false of another, or of all', () => {
    expect(captures.some(({ truth }) => holds(truth))).toBe(true);
  });
});

test.each(Object.keys(undecided))('%s: what it cannot decide is known', (setUp) => {
  const own = captures.filter(({ framework, mode }) => `${framework}, ${mode}` === setUp);
  const open = suite.filter(({ says }) => own.some(({ verdicts }) => verdicts.get(says)?.status === 'inconclusive'));
  expect(open.map(({ says }) => says).sort()).toEqual(undecided[setUp]);
});
