import { describe, expect, test } from 'vitest';
import { type Baseline, baselineOf, parseBaseline } from '../../../src/suite/gate/baseline.ts';
import { gate } from '../../../src/suite/gate/gate.ts';
import { parseGateReport } from '../../../src/suite/gate/gate-report.ts';
import { firstRules, type GateRules } from '../../../src/suite/gate/gate-rules.ts';
import { projectionOf } from '../../../src/suite/gate/projection.ts';
import { type MadeScenario, madeReport } from './made-report.ts';

const withRules = (baseline: Baseline, rules: Partial<GateRules>): Baseline => ({
  ...baseline,
  rules: { ...firstRules, ...rules },
});
const pool: Record<string, MadeScenario> = { refund: { trials: 'p*100' }, cancel: { trials: 'p*90f*10' } };
const baseline = baselineOf(madeReport(pool), undefined);
const messages = (result: ReturnType<typeof gate>, rule: string): string[] =>
  result.findings
    .filter((finding) => finding.rule === rule)
    .map(({ subject, decision, message }) => `${subject ?? '-'} ${decision}: ${message}`);

describe('the rates', () => {
  test('nothing changed: PASS, and a flaky scenario is called flaky, not a regression', () => {
    const result = gate(madeReport({ refund: { trials: 'p*20' }, cancel: { trials: 'p*17f*3' } }), baseline);
    expect(result.decision).toBe('PASS');
    expect(messages(result, 'regression')).toEqual([
      'refund PASS: no fall of the pass rate is shown: 100 of 100 before, 20 of 20 now',
      'cancel PASS: no fall of the pass rate is shown: 90 of 100 before, 17 of 20 now, flaky before',
    ]);
  });

  test('a fall is a regression, with Holm over the scenarios', () => {
    const result = gate(madeReport({ refund: { trials: 'p*17f*3' }, cancel: { trials: 'p*18f*2' } }), baseline);
    expect(result.decision).toBe('FAIL');
    expect(messages(result, 'regression')[0]).toBe(
      'refund FAIL: the pass rate has fallen: 100 of 100 before, 17 of 20 now',
    );
    expect(result.findings.find(({ rule }) => rule === 'regression')?.p).toBeCloseTo(2 * 0.004_059_8, 5);
  });

  test('an outage is no pass: its trials stay in the denominator', () => {
    const result = gate(madeReport({ refund: { trials: 'p*17u*3' }, cancel: { trials: 'p*20' } }), baseline);
    expect(messages(result, 'regression')[0]).toContain('17 of 20 now');
    expect(result.decision).toBe('FAIL');
  });
});

describe('policies', () => {
  const all = (trials: string, planned?: number) =>
    gate(
      madeReport({
        refund: { trials, policy: { kind: 'all' }, ...(planned === undefined ? {} : { planned }) },
        cancel: { trials: 'p*20' },
      }),
      baseline,
    );
  test.each([
    ['ppp', 'PASS', '-'],
    ['ppf', 'FAIL', 'refund FAIL: expected all of 3, got failed: 2 passed, 1 failed'],
    ['ppu', 'FAIL', 'refund FAIL: expected all of 3, got unavailable: 2 passed, 1 unavailable'],
    ['ppe', 'INSUFFICIENT_EVIDENCE', 'refund INSUFFICIENT_EVIDENCE: expected all of 3, got error: 2 passed, 1 error'],
    [
      'ppi',
      'INSUFFICIENT_EVIDENCE',
      'refund INSUFFICIENT_EVIDENCE: expected all of 3, got inconclusive: 2 passed, 1 inconclusive',
    ],
  ])('%s is %s', (trials, decision, message) => {
    const result = all(trials);
    expect(result.decision).toBe(decision);
    if (decision !== 'PASS') expect(messages(result, 'policies')[0]).toBe(message);
  });

  test('trials that did not run are no evidence', () => {
    expect(all('pp', 3).decision).toBe('INSUFFICIENT_EVIDENCE');
  });

  test('an empty report passes nothing', () => {
    const empty = baselineOf(madeReport(pool), undefined);
    expect(gate(madeReport({}), empty).decision).toBe('INSUFFICIENT_EVIDENCE');
  });
});

describe('packs', () => {
  const pinned: Baseline = {
    ...baseline,
    packs: { approval: 'applicable', pictures: { notApplicable: 'the agent takes no attachments' } },
  };
  const found = (
    approval: 'applicable' | 'notApplicable' | 'failedProof',
    more: { pack: string; state: 'applicable'; missing: string[] }[] = [],
  ) =>
    gate(
      madeReport(pool, {
        applicability: [
          { pack: 'approval', state: approval, missing: approval === 'applicable' ? [] : ['operation resume'] },
          { pack: 'pictures', state: 'notApplicable', missing: ['input image'] },
          ...more,
        ],
      }),
      pinned,
    );

  test('as pinned is a pass', () => {
    expect(messages(found('applicable'), 'packs')).toEqual([
      'approval PASS: applicable, as pinned',
      'pictures PASS: not applicable (missing: input image), as pinned (the agent takes no attachments)',
    ]);
  });

  test('a pack that no longer applies is not a pass', () => {
    for (const state of ['notApplicable', 'failedProof'] as const) expect(found(state).decision).toBe('FAIL');
    expect(messages(found('notApplicable'), 'packs')[0]).toBe(
      'approval FAIL: expected applicable, got not applicable (missing: operation resume)',
    );
  });

  test('a pack that is not pinned, or gone, fails', () => {
    expect(messages(found('applicable', [{ pack: 'skills', state: 'applicable', missing: [] }]), 'packs')[2]).toBe(
      'skills FAIL: expected a pin in the baseline, got applicable',
    );
    expect(messages(gate(madeReport(pool), pinned), 'packs')[0]).toBe(
      'approval FAIL: expected applicable, got no such pack in the report',
    );
  });
});

describe('what is not compared', () => {
  test.each([
    [{ hash: 'plan-2' }, 'plan: plan-1 before, plan-2 now'],
    [{ corpus: 'corpus-2' }, 'corpus: corpus-1 before, corpus-2 now'],
    [{ models: ['scripted-2'] }, 'models: scripted-1 before, scripted-2 now'],
    [{ profile: null }, 'profile: live before, none now'],
  ])('%j', (plan, difference) => {
    expect(() => gate(madeReport(pool, { plan }), baseline)).toThrow(
      `report and baseline are not comparable: ${difference}`,
    );
  });

  test('another version of the harness, and a shard', () => {
    expect(() => gate(madeReport(pool, { version: '1.1.0' }), baseline)).toThrow(
      'report and baseline are not comparable: version of otel-eval: 1.0.0 before, 1.1.0 now',
    );
    expect(() => gate(madeReport(pool, { plan: { shard: { index: 2, count: 4 } } }), baseline)).toThrow(
      'expected a whole report, got shard 2 of 4',
    );
  });
});

describe('non-inferiority', () => {
  const many = (trials: string): Record<string, MadeScenario> =>
    Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`scenario ${at}`, { trials }]));
  const rules = { nonInferiority: { margin: 0.05, reason: 'agreed', approximate: false } };
  const big = withRules(baselineOf(madeReport(many('p*95f*5')), undefined), rules);

  test('shown with enough runs, not with few', () => {
    expect(gate(madeReport(many('p*95f*5')), big).decision).toBe('PASS');
    const few = gate(madeReport(many('ppp')), big);
    expect(few.decision).toBe('INSUFFICIENT_EVIDENCE');
    expect(few.findings.find(({ rule }) => rule === 'non-inferiority')?.furtherRuns).toBeGreaterThan(10);
  });

  test('one trial each that passed before and now is no certainty', () => {
    const single = withRules(baselineOf(madeReport(many('p')), undefined), rules);
    expect(gate(madeReport(many('p')), single).decision).toBe('INSUFFICIENT_EVIDENCE');
  });

  test('shown to be worse is a failure', () => {
    const result = gate(madeReport(many('p*80f*20')), big);
    expect([result.decision, messages(result, 'inferiority')]).toEqual([
      'FAIL',
      ['- FAIL: worse than the baseline by more than the margin: mean difference −0.150, margin 0.05'],
    ]);
  });

  test('few scenarios only where it is allowed', () => {
    const result = gate(madeReport(pool), withRules(baseline, rules));
    expect(messages(result, 'non-inferiority')).toEqual([
      '- INSUFFICIENT_EVIDENCE: a claim over scenarios needs at least 20 of them, got 2; "approximate: true" allows fewer',
    ]);
    const allowed = withRules(baseline, { nonInferiority: { margin: 0.2, reason: 'agreed', approximate: true } });
    expect(gate(madeReport(pool), allowed).decision).toBe('PASS');
  });

  test('the same report gives the same answer', () => {
    const report = madeReport(many('p*19f*1'));
    expect(gate(report, big)).toEqual(gate(report, big));
  });
});

describe('budgets and growth', () => {
  const runs = (slow: number, all: number) => ({
    refund: {
      trials: `p*${all}`,
      measures: { durationMs: Array.from({ length: all }, (_, at) => (at < slow ? 30_000 : 5_000)) },
    },
  });
  const base = baselineOf(madeReport(runs(0, 100)), undefined);
  const budget = { measure: 'durationMs', quantile: 0.95, max: 20_000, source: 'support desk: 20 s' };
  const judged = (slow: number, all: number) =>
    gate(madeReport(runs(slow, all)), withRules(base, { budgets: [budget] }));

  test('59 runs within the bound show p95, 58 do not, 7 slow ones of 59 show the opposite', () => {
    expect(messages(judged(0, 59), 'budget')).toEqual([
      'durationMs PASS: p95 of durationMs is at most 20000: 0 of 59 runs above 20000 (bound: support desk: 20 s)',
    ]);
    const few = judged(0, 58);
    expect([few.decision, few.findings.at(-1)?.furtherRuns]).toEqual(['INSUFFICIENT_EVIDENCE', 1]);
    expect(judged(7, 59).decision).toBe('FAIL');
  });

  test('a run that does not tell its measure counts as above', () => {
    const silent = madeReport({ refund: { trials: 'p*59' } });
    expect(messages(gate(silent, withRules(base, { budgets: [budget] })), 'budget')).toEqual([
      'durationMs FAIL: expected p95 of durationMs of at most 20000, got 59 of 59 runs above 20000, 59 of them without the measure (bound: support desk: 20 s)',
    ]);
  });

  test('growth while everything passes is a regression of its own', () => {
    const rules = { increases: [{ measure: 'durationMs', factor: 1.5, reason: 'agreed' }] };
    const grown = gate(madeReport(runs(20, 100)), withRules(base, rules));
    expect([grown.decision, messages(grown, 'increase')]).toEqual([
      'FAIL',
      [
        'refund: durationMs FAIL: durationMs has grown though the policy may still pass: 20 of 100 runs above 7500 (baseline p95 5000 × 1.5), at least 13.7 %',
      ],
    ]);
    expect(gate(madeReport(runs(2, 100)), withRules(base, rules)).decision).toBe('PASS');
  });
});

describe('baselines', () => {
  test('what was not decided never becomes one', () => {
    const from = (trials: string, planned?: number) => () =>
      baselineOf(madeReport({ refund: { trials, ...(planned === undefined ? {} : { planned }) } }), undefined);
    expect(from('ppu')).toThrow('this report makes no baseline: of the trials of "refund", 1 are unavailable');
    expect(from('pei')).toThrow('this report makes no baseline: of the trials of "refund", 2 are error, inconclusive');
    expect(from('pp', 3)).toThrow('this report makes no baseline: of the trials of "refund", 1 did not run');
    expect(() => baselineOf(madeReport({}), undefined)).toThrow('it holds no scenario');
    expect(() => baselineOf(madeReport(pool, { plan: { shard: { index: 1, count: 2 } } }), undefined)).toThrow(
      'it is shard 1 of 2; merge them first',
    );
    const failedProof = { pack: 'a', state: 'failedProof' as const, missing: ['tool x'] };
    expect(() => baselineOf(madeReport(pool, { applicability: [failedProof] }), undefined)).toThrow(
      'pack "a" is not proven',
    );
  });

  test('rules and reasons of an earlier one are kept', () => {
    const packs = [{ pack: 'pictures', state: 'notApplicable' as const, missing: ['input image'] }];
    const first = baselineOf(madeReport(pool, { applicability: packs }), undefined);
    expect(first.packs).toEqual({ pictures: { notApplicable: 'missing: input image' } });
    const edited = { ...withRules(first, { alpha: 0.01 }), packs: { pictures: { notApplicable: 'no attachments' } } };
    const next = baselineOf(madeReport(pool, { applicability: packs }), edited);
    expect([next.packs, next.rules.alpha]).toEqual([{ pictures: { notApplicable: 'no attachments' } }, 0.01]);
  });

  test('a file round trip; a bound without a source outside is refused', () => {
    const data = JSON.parse(JSON.stringify(baseline));
    expect(parseBaseline(data, 'baseline.json')).toEqual(baseline);
    data.rules.budgets = [{ measure: 'toolCalls', quantile: 0.95, max: 4, source: 'observed in October' }];
    expect(() => parseBaseline(data, 'baseline.json')).toThrow(
      'baseline.json is no baseline: rules.budgets.0.source: expected where the bound comes from; "observed" only writes down what passes today',
    );
  });

  test('the projection holds counts, percentiles and fingerprints', () => {
    const report = madeReport({ refund: { trials: 'ppf', measures: { toolCalls: [2, 4, null] } } });
    expect(projectionOf(report).scenarios).toEqual([
      {
        name: 'refund',
        policy: '1 of 3',
        planned: 3,
        counts: { passed: 2, failed: 1, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 },
        measures: { toolCalls: { runs: 2, mean: 3, p50: 2, p95: 4, max: 4 } },
      },
    ]);
  });

  test('what is no report of a run is refused', () => {
    expect(() => parseGateReport('{', 'r.json')).toThrow(
      'expected a report of "otel-eval run --json" in r.json, it is not JSON',
    );
    expect(() => parseGateReport('[]', 'r.json')).toThrow('its schema is another one');
    expect(() => parseGateReport('{"schema":"otel-eval/report/v1"}', 'r.json')).toThrow('version is missing or wrong');
    const text = JSON.stringify({ schema: 'otel-eval/report/v1', extra: 1, ...madeReport(pool) });
    expect(parseGateReport(text, 'r.json')).toEqual(madeReport(pool));
  });
});
