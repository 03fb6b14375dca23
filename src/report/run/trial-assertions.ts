import type { TrialOutcome } from '../../suite/run/trial-outcome.ts';
import type { Overlap } from '../../suite/trial/independence.ts';
import { displayName } from '../../trace/display-name.ts';
import type { AssertionReport, FindingReport } from '../report.ts';

/** The agent came to an end in time. Whatever else kept it from it is not its failure. */
export function targetAnswered(outcome: TrialOutcome): AssertionReport {
  const { timedOut, problem, scenario } = outcome;
  const report = made('TargetAnswered', spansOf(outcome));
  const late = outcome.steps.find(({ state }) => state === 'timedOut');
  if (timedOut) {
    const step = displayName(late?.name ?? 'the last step');
    const expected = `all steps are answered within ${scenario.timeoutMs} ms`;
    const observed = `${step} was not`;
    return {
      ...report,
      status: 'failed',
      findings: [finding('target-answered/timeout', { step, timeoutMs: scenario.timeoutMs }, { expected, observed })],
    };
  }
  if (problem !== null)
    return { ...report, status: problem.status, missing: [{ kind: problem.code, message: problem.message }] };
  if (report.examined > 0) return { ...report, status: 'passed', passed: true };
  return {
    ...report,
    status: 'inconclusive',
    missing: [{ kind: 'nothing-examined', message: 'it answered, and no span tells of it' }],
  };
}

/** At least one trace is known to be of this trial. That it came at the same time is no proof. */
export function trialTraced(outcome: TrialOutcome): AssertionReport {
  const { joins, strays } = outcome;
  const report = made('TrialTraced', spansOf(outcome));
  if (report.examined > 0) {
    const remarks = [`joined by ${[...new Set(joins)].map((join) => joinWords[join]).join(' and ')}`];
    return { ...report, status: 'passed', passed: true, remarks };
  }
  const message =
    strays > 0
      ? `no span carries the trace context of this trial; ${strays} other traces came in meanwhile: the target must continue traceparent`
      : 'no span came in: is the target instrumented, does it export to this source, and does it flush before it ends?';
  return { ...report, status: 'inconclusive', missing: [{ kind: 'join', message }] };
}

const joinWords = { 'trace-context': 'trace context', 'run-id': 'run id', channel: 'a channel of its own' } as const;

/** No other trial holds a trace or a model's answer of this one: trials are counted once, and none came from a cache. */
export function trialIndependent(spans: number, overlaps: readonly Overlap[]): AssertionReport {
  const report = made('TrialIndependent', spans);
  const [first] = overlaps;
  if (first === undefined) {
    if (spans > 0) return { ...report, status: 'passed', passed: true };
    return {
      ...report,
      status: 'inconclusive',
      missing: [{ kind: 'nothing-examined', message: 'no span of this trial was found' }],
    };
  }
  const missing = overlaps.map(({ kind, id, others }) => ({
    kind: 'independence',
    message:
      kind === 'trace'
        ? `trace ${id} is also a trace of ${others.map(displayName).join(', ')}: one run was counted twice`
        : `model answer ${displayName(id)} is also in ${others.map(displayName).join(', ')}: a cache answered, so this is no second sample`,
  }));
  // A trace in two trials is a fault of the set-up; a cached answer leaves the question open.
  return { ...report, status: first.kind === 'trace' ? 'error' : 'inconclusive', missing };
}

/** In the order of the schema; the status is set by whoever knows it. */
function made(name: string, examined: number): AssertionReport {
  return { name, passed: false, status: 'inconclusive', examined, findings: [], missing: [], remarks: [] };
}

function finding(
  code: string,
  args: FindingReport['arguments'],
  { expected, observed }: Pick<FindingReport, 'expected' | 'observed'>,
): FindingReport {
  return {
    code,
    message: `expected ${expected}, observed ${observed}`,
    arguments: args,
    spans: [],
    expected,
    observed,
    nearMisses: [],
  };
}

function spansOf({ judged }: TrialOutcome): number {
  return judged?.view.run.traces.reduce((sum, trace) => sum + trace.spans.length, 0) ?? 0;
}
