import { describe, expect, test } from 'vitest';
import { formatJson } from '../../src/report/format-json.ts';
import { formatJunit } from '../../src/report/format-junit.ts';
import { formatTerminal } from '../../src/report/format-terminal.ts';
import type { AssertionReport, Report } from '../../src/report/report.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import { type RunReportGivens, runReport, type ScenarioRecords } from '../../src/report/run/run-report.ts';
import type { TrialRecord } from '../../src/report/run/trial-record.ts';
import { combinedStatus, type TrialStatus } from '../../src/suite/trial/trial-status.ts';

const statuses: readonly TrialStatus[] = ['passed', 'failed', 'inconclusive', 'error', 'unavailable'];
const exitCodes: Record<TrialStatus, number> = { passed: 0, failed: 1, error: 2, unavailable: 3, inconclusive: 4 };

function assertion(status: TrialStatus, name = 'ToolCalled'): AssertionReport {
  const finding = {
    code: 'tool-called/too-few',
    message: 'expected one call, observed none',
    arguments: {},
    spans: [],
    expected: 'one call',
    observed: 'none',
    nearMisses: [],
  };
  return {
    name,
    passed: status === 'passed',
    status,
    examined: 3,
    findings: status === 'failed' ? [finding] : [],
    missing: status === 'passed' || status === 'failed' ? [] : [{ kind: 'why', message: `it was ${status}` }],
    remarks: [],
  };
}

function record(status: TrialStatus, index: number, changes: Partial<TrialRecord> = {}): TrialRecord {
  return {
    index,
    seed: index,
    status,
    traceIds: [`${index}`.padStart(32, '0')],
    runId: `run-${index}`,
    steps: [{ name: 'step 1', status }],
    assertions: [assertion('passed', 'TargetAnswered'), assertion('passed', 'TrialTraced'), assertion(status)],
    evidence: 'memory, 3 spans, settled',
    rerun: null,
    tree: [],
    measures: {},
    proof: { responseIds: [], models: ['m'], completeness: ['settled'], spans: 3, strays: 0 },
    ...changes,
  };
}

function scenario(trials: readonly TrialStatus[], changes: Partial<ScenarioRecords> = {}): ScenarioRecords {
  return {
    name: 'refunds',
    tags: [],
    policy: { kind: 'all' },
    planned: trials.length,
    here: trials.length,
    everyTrial: [],
    scripted: false,
    records: trials.map((status, at) => record(status, at + 1)),
    ...changes,
  };
}

function report(scenarios: readonly ScenarioRecords[], changes: Partial<RunReportGivens> = {}): Report {
  return runReport({
    version: '1.0.0',
    suite: 'suite',
    plan: {
      hash: 'sha256:1',
      corpus: 'sha256:2',
      profile: null,
      seed: 1,
      scenarios: scenarios.map(({ name }) => name),
      target: { kind: 'function', label: 'agent' },
      artifact: null,
      shard: null,
    },
    source: { kind: 'memory', address: 'this process', accepted: 'proven' },
    applicability: [],
    scenarios,
    ...changes,
  });
}

describe('all combinations of trial states', () => {
  const combinations = statuses.flatMap((a) => statuses.flatMap((b) => statuses.map((c) => [a, b, c] as const)));

  test.each(combinations)('%s, %s, %s: exit code and JUnit as the design says', (...trials) => {
    const made = report([scenario(trials)]);
    const expected = combinedStatus(trials);
    expect([made.status, made.exitCode]).toEqual([expected, exitCodes[expected]]);
    expect(reportSchema.safeParse(JSON.parse(formatJson(made))).success).toBe(true);
    const junit = formatJunit(made);
    const count = (status: TrialStatus): number => trials.filter((each) => each === status).length;
    expect(junit.match(/<failure /g)?.length ?? 0).toBe(count('failed'));
    expect(junit.match(/<error /g)?.length ?? 0).toBe(count('error') + count('inconclusive'));
    expect(junit.match(/<skipped /g)?.length ?? 0).toBe(count('unavailable'));
    for (const { assertions } of made.scenarios[0]?.trials ?? []) {
      for (const { passed, status } of assertions) expect(passed).toBe(status === 'passed');
    }
  });
});

describe('what a scenario comes to', () => {
  test('a policy that lets a trial fail is one case, green', () => {
    const made = report([scenario(['passed', 'failed', 'passed'], { policy: { kind: 'passes', passes: 2 } })]);
    expect([made.status, made.exitCode]).toEqual(['passed', 0]);
    const junit = formatJunit(made);
    expect(junit).toContain('tests="1" failures="0" errors="0" skipped="0"');
    expect(junit).toContain('expected  one call');
    expect(formatTerminal(made)).toContain('✓ suite › refunds   2 of 3 passed (21–94 %); wanted: 2 of 3');
  });

  test('trials that did not run are no pass, and not green in JUnit', () => {
    const made = report([scenario(['passed', 'passed'], { planned: 3, here: 3 })]);
    expect([made.status, made.exitCode]).toEqual(['inconclusive', 4]);
    expect(formatJunit(made)).toContain(
      '<error type="inconclusive" message="3 passed trials not shown: of 3 trials 2 passed, 1 not run"/>',
    );
    expect(report([scenario([], { planned: 3, here: 3 })]).status).toBe('inconclusive');
    expect(report([]).status).toBe('inconclusive');
  });

  test('what must hold in every trial is not outvoted', () => {
    const isolation = (status: TrialStatus, index: number) =>
      record('passed', index, {
        assertions: [
          assertion('passed', 'TargetAnswered'),
          assertion('passed', 'TrialTraced'),
          assertion(status, 'IsolationHeld'),
        ],
      });
    const held = (broken: TrialStatus) =>
      report([
        scenario(['passed', 'passed', 'failed'], {
          policy: { kind: 'passes', passes: 2 },
          everyTrial: ['IsolationHeld'],
          records: [isolation('passed', 1), isolation('passed', 2), { ...isolation(broken, 3), status: broken }],
        }),
      ]);
    expect(held('passed').status).toBe('passed');
    expect([held('failed').status, held('failed').scenarios[0]?.missing[0]?.message]).toEqual([
      'failed',
      'IsolationHeld must hold in every trial, and did not in 1',
    ]);
    expect(held('inconclusive').status).toBe('inconclusive');
  });

  test('two trials that share a trace are an error, a shared answer leaves it open, a scripted one does not', () => {
    const shared = (changes: Partial<TrialRecord>, more: Partial<ScenarioRecords> = {}) =>
      report([
        scenario(['passed', 'passed'], {
          records: [record('passed', 1, changes), record('passed', 2, changes)],
          ...more,
        }),
      ]);
    const trace = shared({ traceIds: ['a'.repeat(32)] });
    expect([trace.status, trace.scenarios[0]?.trials[0]?.assertions[2]?.missing[0]?.message]).toEqual([
      'error',
      `trace ${'a'.repeat(32)} is also in refunds#2: one run was counted twice`,
    ]);
    const proof = { responseIds: ['r1'], models: [], completeness: [], spans: 3, strays: 0 };
    expect(shared({ proof }, {}).status).toBe('inconclusive');
    expect(shared({ proof }, { scripted: true }).status).toBe('passed');
    expect(shared({ proof }, { scripted: true }).plan?.evidenceLevel).toBe('scripted_model');
  });

  test('one live trial each is exploratory', () => {
    expect(report([scenario(['passed'])]).plan?.evidenceLevel).toBe('live_n1');
    expect(report([scenario(['passed', 'passed'])]).plan?.evidenceLevel).toBe('live_n');
  });

  test('a pass says what so few trials would have missed; a scripted model or a failure says nothing of it', () => {
    const unseen = (trials: readonly TrialStatus[], changes: Partial<ScenarioRecords> = {}) =>
      report([scenario(trials, changes)]).scenarios[0]?.rate?.unseenBelow;
    expect([unseen(['passed']), unseen(Array.from({ length: 59 }, () => 'passed'))]).toEqual([0.95, 0.0495]);
    expect([unseen(['passed', 'failed']), unseen(['failed']), unseen(['passed'], { scripted: true })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(formatTerminal(report([scenario(['passed'])]))).toContain(
      '1 of 1 passed; wanted: all of 1; a failure in less than 95 % of runs may stay unseen',
    );
  });
});

describe('packs', () => {
  const absent = scenario([], {
    name: 'pictures',
    planned: 2,
    notRun: { status: 'notApplicable', reason: 'pack pictures does not apply; missing: input image' },
  });
  const applicability = [{ pack: 'pictures', state: 'notApplicable', missing: ['input image'] }] as const;

  test('one that does not apply is skipped by name, and is no pass', () => {
    const made = report([scenario(['passed']), absent], { applicability });
    expect([made.status, made.exitCode, made.summary.notApplicable]).toEqual(['passed', 0, 1]);
    const lines = formatTerminal(made).trimEnd().split('\n');
    expect(lines.at(-1)).toBe('✓ passed: 1/1 scenarios passed, 1 not applicable; 1 packs not applicable');
    const junit = formatJunit(made);
    expect(junit).toContain('<skipped message="pack pictures does not apply; missing: input image"/>');
    expect(junit).toContain('<skipped message="missing: input image"/>');
  });

  test('nothing but packs that do not apply is not green', () => {
    const made = report([absent], { applicability });
    expect([made.status, made.exitCode]).toEqual(['notApplicable', 4]);
  });

  test('declared, then missing in a trial, is a failed proof', () => {
    const finding = {
      code: 'pack-proven/evidence-missing',
      message: '',
      arguments: { pack: 'pictures', stages: ['attachment'] },
      spans: [],
      expected: '',
      observed: '',
      nearMisses: [],
    };
    const broken = record('failed', 1, { assertions: [{ ...assertion('failed', 'PackProven'), findings: [finding] }] });
    const made = report([scenario(['failed'], { records: [broken] })], {
      applicability: [{ pack: 'pictures', state: 'applicable', missing: [] }],
    });
    expect(made.applicability).toEqual([{ pack: 'pictures', state: 'failedProof', missing: ['attachment'] }]);
    expect(made.exitCode).toBe(1);
  });
});
