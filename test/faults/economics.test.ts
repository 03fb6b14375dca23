import { describe, expect, test } from 'vitest';
import { budgetChange, budgetFromCost, budgetFromLatency } from '../../src/faults/economics/attempt-budget.ts';
import { attemptTable, monthlyDifference, planEstimate, runCost } from '../../src/faults/economics/attempt-model.ts';
import { compareVersions, type VersionRun } from '../../src/faults/economics/compare-versions.ts';
import type { ToolRun } from '../../src/faults/economics/failing-runs.ts';
import { rankTools } from '../../src/faults/economics/rank-tools.ts';
import { causesBetween, type RecoveryPath, recoveryCauses } from '../../src/faults/economics/recovery-causes.ts';
import { pathologiesOf } from '../../src/faults/economics/rejected-calls.ts';
import { ticketStory } from '../assertions/mutations/recovered-unattended.ts';
import { viewOf } from '../view-builder.ts';

// The worked table of recovery §1.1: outputs of 90 tokens, 157 in attempts five to eight; $3 and $15 for a million.
const prices = { input: 3, output: 15 };
const outputs = [90, 90, 90, 90, 157, 157, 157, 157, 90];
const table = attemptTable({ firstInput: 1_850, errorTokens: 490, outputs, prices });
const elapsedSeconds = [2.45, 4.9, 7.25, 9.6, 12.1, 14.6, 17.1, 19.6, 22.1];

describe('what attempts cost', () => {
  test('R3-20: the worked table', () => {
    expect(table.map((row) => [row.input, row.cumulativeInput, row.cumulativeOutput, row.cost.toFixed(4)])).toEqual([
      [1_850, 1_850, 90, '0.0069'],
      [2_430, 4_280, 180, '0.0155'],
      [3_010, 7_290, 270, '0.0259'],
      [3_590, 10_880, 360, '0.0380'],
      [4_170, 15_050, 517, '0.0529'],
      [4_817, 19_867, 674, '0.0697'],
      [5_464, 25_331, 831, '0.0885'],
      [6_111, 31_442, 988, '0.1091'],
      [6_758, 38_200, 1_078, '0.1308'],
    ]);
  });

  test('R3-17, R3-18: cost compounds: 2.25 times the attempts cost 3.44 times as much', () => {
    const [four, nine] = [table[3], table[8]];
    expect(((nine?.cost ?? 0) / (four?.cost ?? 1)).toFixed(2)).toBe('3.44');
    expect([four?.commitChances, nine?.commitChances]).toEqual([4, 9]);
  });

  test('no line through the first attempts reaches the ninth', () => {
    const constant = attemptTable({ firstInput: 1_850, errorTokens: 490, outputs: Array(9).fill(90), prices });
    expect(constant[8]?.cumulativeInput).toBe(37_530);
    expect(((constant[8]?.cost ?? 0) / (constant[3]?.cost ?? 1)).toFixed(2)).toBe('3.28');
  });

  test('R3-19: $222.6 a month, of 40,000 runs of which 6 % fail', () => {
    const change = { before: table[3]?.cost ?? 0, after: table[8]?.cost ?? 0 };
    expect(monthlyDifference({ runs: 40_000, failingShare: 0.06 }, change).toFixed(1)).toBe('222.6');
  });

  test('cached input is a part of the input, and cheaper', () => {
    const usage = { input: 1_000_000, output: 0, cachedInput: 600_000 };
    expect(runCost(usage, { ...prices, cachedInput: 0.3 })).toBeCloseTo(1.38, 10);
    expect(runCost(usage, prices)).toBeCloseTo(3, 10);
  });

  test('R3-12: 200 runs of 3,000 tokens, twenty at once', () => {
    const plan = { runs: 200, concurrency: 20, secondsPerRun: 24 };
    expect(planEstimate({ ...plan, tokensPerFailingRun: 3_000 })).toEqual({ tokens: 600_000, waves: 10, seconds: 240 });
    expect(planEstimate({ ...plan, tokensPerFailingRun: 14_900 }).tokens).toBe(2_980_000);
    expect(planEstimate({ ...plan, concurrency: 10, tokensPerFailingRun: 3_000 })).toMatchObject({
      tokens: 600_000,
      waves: 20,
    });
    // A wave that is not full takes as long as a full one.
    expect(planEstimate({ ...plan, runs: 201, tokensPerFailingRun: 3_000 })).toMatchObject({ waves: 11, seconds: 264 });
  });
});

describe('a bound from outside', () => {
  const given = { limitSeconds: 20, happyPathSeconds: 7, elapsedSeconds, source: 'SLO of 2026-11' };

  test('R3-22: 20 s less 7 s are five attempts; six where the first one is a part of the happy path', () => {
    expect(budgetFromLatency(given)).toEqual({
      max: 5,
      source: 'SLO of 2026-11',
      formula: 'elapsed(k) ≤ 20 s − 7 s = 13 s',
      at: 12.1,
    });
    expect(budgetFromLatency({ ...given, beyondFirst: true }).max).toBe(6);
  });

  test('from a cost', () => {
    expect(budgetFromCost({ maxCost: 0.05, table, source: 'R-12' })).toMatchObject({
      max: 4,
      formula: 'cost(k) ≤ $0.05',
    });
  });

  test.each(['', 'observed', ' Observed in 40 runs'])('R3-23: "%s" is no source', (source) => {
    expect(() => budgetFromLatency({ ...given, source })).toThrow('expected where the bound comes from');
  });

  test('R3-28: a raised budget is recorded with what it costs', () => {
    const raised = budgetFromLatency({ ...given, limitSeconds: 30 });
    expect(budgetChange(5, raised, { table, elapsedSeconds })).toMatchObject({
      from: 5,
      to: 9,
      seconds: 22.1,
      source: 'SLO of 2026-11',
    });
    expect(budgetChange(5, raised, {})).toMatchObject({ cost: null, seconds: null });
  });
});

describe('versions of a tool', () => {
  const runs = (never: number, tokens: number, attempts: number): VersionRun[] =>
    Array.from({ length: 200 }, (_, at) =>
      at < never
        ? { tokens: tokens * 2, attempts: 12, recovered: false, atCap: true }
        : { tokens, attempts, recovered: true, atCap: false },
    );
  const found = compareVersions({
    traceback: runs(16, 14_900, 4),
    text: runs(13, 9_400, 4),
    mapped: runs(1, 3_100, 3),
  });

  test('R3-24, R3-25: all complete; tokens, tail and who never recovers tell them apart', () => {
    expect(
      found.versions.map((each) => [each.version, each.medianTokens, each.medianAttempts, each.p95Attempts]),
    ).toEqual([
      ['traceback', '14900', '4', '≥ 12'],
      ['text', '9400', '4', '≥ 12'],
      ['mapped', '3100', '3', '3'],
    ]);
    expect(found.versions.map(({ neverRecoveredRate }) => neverRecoveredRate)).toEqual([0.08, 0.065, 0.005]);
  });

  test('8.0 % and 6.5 % are not told apart by 200 runs each; 6.5 % and 0.5 % are', () => {
    expect(
      found.steps.map(({ from, to, tokensChange, p }) => [from, to, tokensChange?.toFixed(3), p.toFixed(4)]),
    ).toEqual([
      ['traceback', 'text', '-0.369', '0.7004'],
      ['text', 'mapped', '-0.670', '0.0015'],
    ]);
  });
});

describe('why a run took longer', () => {
  const wrong = { arguments: { id: 'T-8841', status: 'Closed' }, result: { error: 'bad status' } };
  const right = { arguments: { id: 'T-8841', status: 'closed' }, result: { ok: true } };
  const run = (story: Parameters<typeof ticketStory>[0]) => viewOf(ticketStory(story)).run;
  const lookedUp = {
    id: '8',
    parent: '1',
    name: 'execute_tool get_ticket',
    scope: 'otel-eval',
    start: 95,
    end: 98,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_ticket' },
  };
  const before = run({ tries: [wrong, right] });

  test('R3-27: an extra read before correcting, a failure repeated, neither', () => {
    expect(recoveryCauses(before, run({ tries: [wrong, right], more: [lookedUp] }), 'update_ticket')).toEqual([
      'extra_read_before_correcting',
    ]);
    expect(recoveryCauses(before, run({ tries: [wrong, wrong, right] }), 'update_ticket')).toEqual([
      'terminal_failure_repeated',
    ]);
    expect(recoveryCauses(before, before, 'update_ticket')).toEqual([]);
  });

  test('R3-27: a longer preamble costs tokens and no attempt', () => {
    const written = (output: number) =>
      new Proxy(before, {
        get: (target, key) => (key === 'usage' ? { ...target.usage, output } : Reflect.get(target, key, target)),
      });
    expect(recoveryCauses(written(100), written(126), 'update_ticket')).toEqual(['longer_preamble']);
    expect(recoveryCauses(written(100), written(125), 'update_ticket')).toEqual([]);
  });
});

describe('why many runs took longer', () => {
  const path = (changes: Partial<RecoveryPath> = {}): RecoveryPath => ({
    tries: 2,
    readsBetween: 0,
    repeatedFailures: 0,
    output: 100,
    ...changes,
  });
  const many = (count: number, changes: Partial<RecoveryPath> = {}): RecoveryPath[] =>
    Array.from({ length: count }, () => path(changes));

  test('R3-27: one in three looks something up: a cause; one in ten: chance', () => {
    const looked = (share: number): RecoveryPath[] => [...many(30 - share), ...many(share, { readsBetween: 1 })];
    expect(causesBetween(many(30), looked(10))).toEqual([
      { cause: 'extra_read_before_correcting', before: 0, after: 1 / 3 },
    ]);
    expect(causesBetween(many(30), looked(3))).toEqual([]);
    expect(causesBetween(looked(10), many(30))).toEqual([]);
  });

  test('what a trace does not tell is no cause', () => {
    expect(causesBetween(many(3, { repeatedFailures: null }), many(3, { repeatedFailures: 2 }))).toEqual([]);
    expect(causesBetween(many(3, { output: null }), many(3, { output: 900 }))).toEqual([]);
    expect(causesBetween([], many(3, { readsBetween: 9 }))).toEqual([]);
  });

  test('R3-27: words are compared among runs with as many attempts', () => {
    const before = [path({ tries: 2, output: 100 }), path({ tries: 4, output: 400 })];
    expect(causesBetween(before, [path({ tries: 4, output: 420 })])).toEqual([]);
    expect(causesBetween(before, [path({ tries: 4, output: 600 })])).toEqual([
      { cause: 'longer_preamble', before: 400, after: 600 },
    ]);
    expect(causesBetween(before, [path({ tries: 3, output: 900 })])).toEqual([]);
  });
});

test('where most runs were stopped, the median of their tokens is a bound and no number to compare', () => {
  const { versions, steps } = compareVersions({ stopped: runsOf(150, 50), fine: runsOf(0, 200) });
  expect(versions.map(({ medianTokens }) => medianTokens)).toEqual(['≥ 24000', '3000']);
  expect(steps[0]?.tokensChange).toBeNull();

  function runsOf(stopped: number, recovered: number): VersionRun[] {
    return [
      ...Array.from({ length: stopped }, () => ({ tokens: 24_000, attempts: 12, recovered: false, atCap: true })),
      ...Array.from({ length: recovered }, () => ({ tokens: 3_000, attempts: 2, recovered: true, atCap: false })),
    ];
  }
});

test('a run that gave up by itself tells its tokens, and of its attempts only a bound', () => {
  const { versions } = compareVersions(
    new Map([
      ['2', [{ tokens: 900, attempts: 2, recovered: false, atCap: false }]],
      ['1', []],
    ]),
  );
  expect(versions.map((each) => [each.version, each.medianTokens, each.medianAttempts, each.tokensTold])).toEqual([
    ['2', '900', '≥ 2', 1],
    ['1', 'none', 'none', 0],
  ]);
});

test('R3-31: failure rate × tokens of a failing run; tools that change something first', () => {
  const run = (tool: string, effect: 'read' | 'write' | null, failing: boolean, tokens: number | null): ToolRun => ({
    tool,
    effect,
    failing,
    attempts: 1,
    recovered: false,
    tokens,
    seconds: null,
  });
  const ranked = rankTools([
    run('search', 'read', true, 9_000),
    run('search', 'read', true, 7_000),
    run('refund', 'write', true, 3_000),
    run('refund', 'write', false, 1_000),
    run('mail', null, false, 1_000),
  ]);
  expect(
    ranked.map(({ tool, effect, failureRate, tokensPerFailingRun, score }) => [
      tool,
      effect,
      failureRate,
      tokensPerFailingRun,
      score,
    ]),
  ).toEqual([
    ['refund', 'write', 0.5, 3_000, 1_500],
    ['mail', 'unknown', 0, null, 0],
    ['search', 'read', 1, 8_000, 8_000],
  ]);
});

test('R3-13: pathological calls are named', () => {
  expect(pathologiesOf(42)).toEqual(['lone_number']);
  expect(pathologiesOf({ name: 'a\u0000b' })).toEqual(['null_byte']);
  expect(pathologiesOf({ name: 'x'.repeat(10_000) })).toEqual(['very_long']);
  expect(pathologiesOf({})).toEqual(['no_arguments']);
  expect(pathologiesOf({ status: 'Closed' })).toEqual([]);
});
