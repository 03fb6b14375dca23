import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolSucceeded } from '../../assertions/tool-succeeded.ts';
import type { Outcome, ToolCall } from '../../src/agent/run.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { spanId, type ViewOptions, viewOf } from '../view-builder.ts';
import { orderStory, toolSpan } from './order-story.ts';

const parse = (parameters: unknown) => toolSucceeded.parameters.parse(parameters) as never;
const told = ({ status, findings, missing }: Verdict) => [
  status,
  findings.map(({ code }) => code.replace('tool-succeeded/', '')),
  missing.map(({ kind }) => kind),
];

/** The order story, with calls of one tool that came out as given. */
function withOutcomes(outcomes: readonly Outcome[], changes: Partial<ToolCall> = {}, options: ViewOptions = {}) {
  const spans = outcomes.map((_, i) =>
    toolSpan(`a${i}`, 110 + i * 60, { id: `c${i}`, name: 'refund', arguments: { order: 1 }, result: {} }),
  );
  const story = [...orderStory().filter(({ id }) => !['3', '5'].includes(id)), ...spans];
  const view = viewOf(story, options);
  const calls = view.run.toolCalls
    .filter(({ name }) => name === 'refund')
    .map((call, i) => {
      const told = { ...changes, outcome: outcomes[i] };
      return new Proxy(call, { get: (target, key) => Reflect.get(key in told ? told : target, key) });
    });
  return viewOf(story, { ...options, run: { toolCalls: calls } });
}

const every = { match: { tool: 'refund' } };
const last = { ...every, expect: { attempts: 'last' } };
const two = { ...every, expect: { attempts: { atLeast: 2 } } };
const byStatus = { evidence: 'status' };

describe('each outcome', () => {
  test.each([
    ['succeeded', every, ['passed', [], []]],
    ['failed', every, ['failed', ['failed-calls'], []]],
    ['ended', every, ['inconclusive', [], ['content']]],
    ['ended', { ...every, ...byStatus }, ['passed', [], []]],
    ['unknown', every, ['inconclusive', [], ['visibility']]],
    ['unknown', { ...every, ...byStatus }, ['inconclusive', [], ['visibility']]],
    ['denied', every, ['inconclusive', [], ['nothing-examined']]],
    ['notRun', every, ['inconclusive', [], ['nothing-examined']]],
  ] as const)('%s under %j', (outcome, parameters, expected) => {
    expect(told(toolSucceeded.evaluate(withOutcomes([outcome]), parse(parameters)))).toEqual(expected);
  });

  test('a refused call beside one that succeeded is no attempt', () => {
    const verdict = toolSucceeded.evaluate(withOutcomes(['denied', 'succeeded']), parse(every));
    expect(told(verdict)).toEqual(['passed', [], []]);
  });

  test('a call that only messages tell of has no status to go by', () => {
    const verdict = toolSucceeded.evaluate(withOutcomes(['ended'], { spans: [] }), parse({ ...every, ...byStatus }));
    expect(told(verdict)).toEqual(['inconclusive', [], ['content']]);
  });

  test('what evidence: status accepted is said', () => {
    const verdict = toolSucceeded.evaluate(withOutcomes(['ended', 'succeeded']), parse({ ...every, ...byStatus }));
    expect(verdict.remarks).toEqual([
      '1 call ended without a visible result and counted as success, as evidence: status says',
    ]);
  });
});

describe('which attempts', () => {
  test.each([
    [every, ['failed', 'succeeded'], ['failed', ['failed-calls'], []]],
    [last, ['failed', 'succeeded'], ['passed', [], []]],
    [last, ['succeeded', 'failed'], ['failed', ['last-attempt-failed'], []]],
    [last, ['failed', 'unknown'], ['inconclusive', [], ['visibility']]],
    [last, ['ended', 'succeeded'], ['passed', [], []]],
    [two, ['succeeded', 'succeeded'], ['passed', [], []]],
    [two, ['succeeded', 'failed'], ['failed', ['too-few-successes'], []]],
    [two, ['succeeded', 'ended'], ['inconclusive', [], ['content']]],
    [two, ['failed', 'ended'], ['failed', ['too-few-successes'], []]],
  ] as const)('%j of %j', (parameters, outcomes, expected) => {
    expect(told(toolSucceeded.evaluate(withOutcomes(outcomes), parse(parameters)))).toEqual(expected);
  });

  test('without arguments attempts are not told apart: a failed one may have been tried again', () => {
    const hidden = { operation: null, attempt: null, arguments: () => undefined };
    const verdictOn = (outcomes: readonly Outcome[]) =>
      told(toolSucceeded.evaluate(withOutcomes(outcomes, hidden), parse(last)));
    expect(verdictOn(['failed', 'succeeded'])).toEqual(['inconclusive', [], ['content']]);
    expect(verdictOn(['succeeded', 'failed'])).toEqual(['failed', ['last-attempt-failed'], []]);
    expect(verdictOn(['succeeded', 'succeeded'])).toEqual(['passed', [], []]);
  });

  test('a remote source without receipts decides a failure, and at least, but neither every nor last', () => {
    const remote: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };
    const verdictOn = (outcomes: readonly Outcome[], parameters: unknown) =>
      told(toolSucceeded.evaluate(withOutcomes(outcomes, {}, remote), parse(parameters)));
    expect(verdictOn(['failed'], every)).toEqual(['failed', ['failed-calls'], []]);
    expect(verdictOn(['succeeded', 'succeeded'], two)).toEqual(['passed', [], []]);
    expect(verdictOn(['succeeded'], every)).toEqual(['inconclusive', [], ['completeness']]);
    expect(verdictOn(['failed'], last)).toEqual(['inconclusive', [], ['completeness']]);
  });
});

test('no call at all is inconclusive for every quantifier', () => {
  for (const attempts of ['every', 'last', { atLeast: 1 }]) {
    const verdict = toolSucceeded.evaluate(
      viewOf(orderStory()),
      parse({ match: { tool: 'none' }, expect: { attempts } }),
    );
    expect(verdict.missing).toEqual([
      { kind: 'nothing-examined', message: 'no call of "none" ran, so nothing is shown of its success' },
    ]);
    expect(verdict.status).toBe('inconclusive');
  }
});

describe.skipIf(sharedCases === undefined)(`shared inputs (${withoutSharedCases} otherwise)`, () => {
  const judge = (file: string, parameters: unknown) =>
    toolSucceeded.evaluate(viewOf(readFileSync(join(sharedCases ?? '', 'inputs', file), 'utf8')), parse(parameters));

  test('tool-01: five calls, none succeeded', () => {
    const verdict = judge('tool-01-errors-recorded-as-ok.json', { match: { tool: 't' } });
    expect(
      verdict.findings.map(({ arguments: args, spans }) => [
        args['failed'],
        args['calls'],
        spans.map((span) => span.spanId),
      ]),
    ).toEqual([[5, 5, ['2', '3', '4', '5', '6'].map((id) => `d0d0d0d0d0d0000${id}`)]]);
  });

  test('tool-02: the word error in a result is no failure', () => {
    const verdict = judge('tool-02-error-words-but-success.json', {
      match: { tool: 't' },
      expect: { attempts: { atLeast: 3 } },
    });
    expect(told(verdict)).toEqual(['passed', [], []]);
    expect(judge('tool-02-error-words-but-success.json', {}).findings).toEqual([]);
  });

  test('tool-03: pay failed; approve waited, which is no failure and no success', () => {
    expect(told(judge('tool-03-control-flow-exceptions.json', { match: { tool: 'pay' } }))[0]).toBe('failed');
    const approve = judge('tool-03-control-flow-exceptions.json', { match: { tool: 'approve' } });
    expect([approve.status, approve.findings]).toEqual(['inconclusive', []]);
  });

  test('join-05: the call that ran succeeded', () => {
    const verdict = judge('join-05-tool-span-missing.json', {
      match: { tool: 'get_stock' },
      expect: { attempts: { atLeast: 1 } },
    });
    expect(told(verdict)).toEqual(['passed', [], []]);
    expect(spanId('1')).toMatch(/^[0-9a-f]{16}$/);
  });
});
