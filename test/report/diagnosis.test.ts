import { describe, expect, test } from 'vitest';
import { diagnosisOf, packDiagnosis } from '../../src/report/diagnosis.ts';
import type { AssertionReport, Status } from '../../src/report/report.ts';

interface Made {
  readonly code?: string;
  readonly kind?: string;
  readonly message?: string;
}

const made = (name: string, status: Status, { code, kind, message = '' }: Made = {}): AssertionReport => ({
  name,
  passed: status === 'passed',
  status,
  examined: 1,
  findings:
    code === undefined
      ? []
      : [{ code, message: '', arguments: {}, spans: [], expected: '', observed: '', nearMisses: [] }],
  missing: kind === undefined ? [] : [{ kind, message }],
  remarks: [],
});

describe('a symptom, its likely cause, the next look', () => {
  test.each<[string, AssertionReport[], string]>([
    [
      'timeout',
      [made('TargetAnswered', 'failed', { code: 'target-answered/timeout' })],
      'the agent waits for something',
    ],
    ['command broke', [made('TargetAnswered', 'error', { kind: 'OTEL_EVAL_COMMAND' })], 'the command itself broke'],
    [
      'server down',
      [made('TargetAnswered', 'unavailable', { kind: 'OTEL_EVAL_UNAVAILABLE' })],
      'a server that the target needs is down',
    ],
    ['target threw', [made('TargetAnswered', 'error', { kind: 'OTEL_EVAL_TARGET' })], 'the target or its set-up broke'],
    [
      'context lost',
      [made('TrialTraced', 'inconclusive', { kind: 'join', message: 'no span carries the trace context' })],
      'the target starts traces of its own',
    ],
    [
      'no spans',
      [made('TrialTraced', 'inconclusive', { kind: 'join', message: 'no span came in' })],
      'no instrumentation, an exporter that sends elsewhere',
    ],
    ['cache', [made('TrialIndependent', 'inconclusive', { kind: 'independence' })], 'a cache answered'],
    [
      'answer fails, retrieval passes',
      [made('Retrieved', 'passed'), made('ResponseContains', 'failed', { code: 'response-contains/absent' })],
      'the right record was retrieved and did not reach the answer',
    ],
    [
      'answer passes, retrieval fails',
      [made('ResponseContains', 'passed'), made('Retrieved', 'failed', { code: 'retrieved/absent' })],
      'the answer is right without retrieval',
    ],
    [
      'stage changed nothing',
      [made('StageObserved', 'failed', { code: 'stage-observed/count-too-low' })],
      'the stage ran and changed nothing',
    ],
    [
      'stage absent',
      [made('ask › StageObserved', 'failed', { code: 'stage-observed/stage-absent' })],
      'the run took another path',
    ],
    [
      'pack gone',
      [made('PackProven', 'failed', { code: 'pack-proven/no-longer-declared' })],
      'the target was built without what the pack needs',
    ],
    [
      'wrong behaviour',
      [made('ToolCalled', 'failed', { code: 'tool-called/too-many' })],
      'the agent did something else',
    ],
    ['incomplete', [made('ToolCalled', 'inconclusive', { kind: 'completeness' })], 'spans are missing'],
    ['hidden', [made('ToolCalled', 'inconclusive', { kind: 'visibility' })], 'the instrumentation does not show'],
    ['no words', [made('ResponseContains', 'inconclusive', { kind: 'content' })], 'the words are not in the trace'],
    [
      'nothing selected',
      [made('SpansMatch', 'inconclusive', { kind: 'nothing-examined' })],
      'the assertion selects no span',
    ],
    ['silent judge', [made('judge polite', 'inconclusive', { kind: 'judge' })], 'the semantic judge threw'],
  ])('%s', (_, assertions, likely) => {
    const diagnosis = diagnosisOf(assertions);
    expect(diagnosis?.likely.startsWith(likely)).toBe(true);
    expect(diagnosis?.next.length).toBeGreaterThan(10);
  });

  test('what only stands beside the verdict is no symptom', () => {
    expect(
      diagnosisOf([{ ...made('judge polite', 'failed', { code: 'semantic-judge/not-satisfied' }), advisory: true }]),
    ).toBeUndefined();
    expect(diagnosisOf([made('ToolCalled', 'passed')])).toBeUndefined();
  });

  test('most packs do not apply', () => {
    const packs = (...states: string[]) => packDiagnosis(states.map((state) => ({ state })))?.likely;
    expect(packs('notApplicable', 'notApplicable', 'applicable')).toMatch(/^the profile runs a smaller target/);
    expect([packs('notApplicable', 'applicable'), packs('notApplicable')]).toEqual([undefined, undefined]);
  });
});
