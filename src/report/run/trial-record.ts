import type { JudgeWord, StepOutcome, TrialOutcome } from '../../suite/run/trial-outcome.ts';
import { combinedStatus, type TrialStatus } from '../../suite/trial/trial-status.ts';
import { displayName } from '../../trace/display-name.ts';
import type { AssertionReport, TrialProof, TrialReport } from '../report.ts';
import { assertionReport, trialReport } from '../trial-report.ts';
import { targetAnswered, trialTraced } from './trial-assertions.ts';

/** What is kept of a trial: plain data, no content. It survives the run in its journal. */
export interface TrialRecord extends TrialReport {
  readonly status: TrialStatus;
  readonly proof: TrialProof;
}

export interface TrialRecordOptions {
  readonly deterministic: boolean;
  /** Command line that runs this trial again. */
  readonly rerun: (outcome: TrialOutcome) => string;
}

/** Makes the record of a trial; nothing of the run itself is kept. */
export function trialRecord(outcome: TrialOutcome, options: TrialRecordOptions): TrialRecord {
  const { judged, planned, ids } = outcome;
  const assertions = [
    targetAnswered(outcome),
    trialTraced(outcome),
    ...ownAssertions(outcome),
    ...stepAssertions(outcome.steps),
  ];
  const deterministic = combinedStatus(assertions.map(({ status }) => status as TrialStatus));
  const judges = outcome.judges.map((word) => judgeReport(word, judged?.view.run.traces.length ?? 0));
  const status = withJudges(deterministic, outcome.judges);
  const base =
    judged === null ? undefined : trialReport(judged, { ...options, withTree: status !== 'passed', rerun: null });
  return {
    index: planned.index,
    seed: planned.seed,
    status,
    traceIds: base?.traceIds ?? [],
    runId: base?.runId ?? ids.runId,
    ...(base?.durationMs === undefined ? {} : { durationMs: base.durationMs }),
    steps: outcome.steps.map((step) => ({ name: displayName(step.name), status: stepStatus(step, outcome) })),
    assertions: [...assertions, ...judges],
    evidence: base?.evidence ?? `${outcome.source}, no span of this trial`,
    rerun: status === 'passed' ? null : options.rerun(outcome),
    tree: status === 'passed' ? [] : (base?.tree ?? []),
    measures: base?.measures ?? {},
    proof: proofOf(outcome),
  };
}

function proofOf({ judged, strays }: TrialOutcome): TrialProof {
  const calls = judged?.view.run.modelCalls ?? [];
  const traces = judged?.view.traces ?? [];
  return {
    responseIds: [
      ...new Set(calls.flatMap(({ responseId }) => (responseId === null ? [] : [displayName(responseId)]))),
    ],
    models: [...new Set(calls.flatMap(({ model }) => (model === null ? [] : [displayName(model)])))],
    completeness: traces.map(({ completeness }) => completeness.state),
    spans: traces.reduce((sum, { trace }) => sum + trace.spans.length, 0),
    strays,
  };
}

function ownAssertions({ judged, scenario }: TrialOutcome): AssertionReport[] {
  if (judged !== null) return judged.outcomes.map(assertionReport);
  return scenario.scenario.assertions.map(({ assertion }) => nothingExamined(assertion.id));
}

/** Named after their step, so that the same assertion may stand on several. */
function stepAssertions(steps: readonly StepOutcome[]): AssertionReport[] {
  return steps.flatMap(({ name, judged, asserts }) => {
    if (!asserts) return [];
    const prefix = displayName(name);
    if (judged === null) {
      const message =
        'no span carries the trace context of this step; the target must continue `traceparent` for it to be judged alone';
      return [{ ...nothingExamined(prefix), missing: [{ kind: 'nothing-examined', message }] }];
    }
    return judged.outcomes.map((outcome) => {
      const report = assertionReport(outcome);
      return { ...report, name: `${prefix} › ${report.name}` };
    });
  });
}

function nothingExamined(name: string): AssertionReport {
  const missing = [{ kind: 'nothing-examined', message: 'no span of this trial was found, so nothing is shown' }];
  return { name, passed: false, status: 'inconclusive', examined: 0, findings: [], missing, remarks: [] };
}

/** A judge can only take away: deterministic evidence is never overruled. */
function withJudges(status: TrialStatus, judges: readonly JudgeWord[]): TrialStatus {
  const deciding = judges.filter(({ decides }) => decides);
  if (status !== 'passed' || deciding.every(({ passed }) => passed === true)) return status;
  return deciding.some(({ passed }) => passed === false) ? 'failed' : 'inconclusive';
}

function judgeReport({ name, passed, decides }: JudgeWord, traces: number): AssertionReport {
  const judge = displayName(name);
  const expected = `judge ${judge} is satisfied`;
  const observed = 'it is not';
  const finding = {
    code: 'semantic-judge/not-satisfied',
    message: `expected ${expected}, observed ${observed}`,
    arguments: { judge },
    spans: [],
    expected,
    observed,
    nearMisses: [],
  };
  const silent = { kind: 'judge', message: `judge ${judge} gave no answer` };
  return {
    name: `judge ${judge}`,
    passed: passed === true,
    status: passed === null ? 'inconclusive' : passed ? 'passed' : 'failed',
    examined: traces,
    findings: passed === false ? [finding] : [],
    missing: passed === null ? [silent] : [],
    remarks: ['a semantic judge: nondeterministic'],
    nondeterministic: true,
    ...(decides ? {} : { advisory: true }),
  };
}

function stepStatus({ state, judged }: StepOutcome, { problem }: TrialOutcome): TrialStatus {
  if (state === 'timedOut') return 'failed';
  if (state === 'broken') return problem?.status ?? 'error';
  if (state === 'notRun') return 'inconclusive';
  if (judged === null) return 'passed';
  return combinedStatus(judged.outcomes.map((outcome) => assertionReport(outcome).status as TrialStatus));
}
