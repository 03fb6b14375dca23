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
  const missing = (['trace', 'response'] as const).flatMap((kind) =>
    overlapEvidence(
      kind,
      overlaps.filter((each) => each.kind === kind),
    ),
  );
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

/** The first few are named; a cache may have answered hundreds. */
function overlapEvidence(kind: Overlap['kind'], overlaps: readonly Overlap[]): AssertionReport['missing'] {
  if (overlaps.length === 0) return [];
  const some = (names: readonly string[]): string => {
    const distinct = [...new Set(names)].map(displayName);
    return distinct.slice(0, 3).join(', ') + (distinct.length > 3 ? ` and ${distinct.length - 3} more` : '');
  };
  const ids = some(overlaps.map(({ id }) => id));
  const others = some(overlaps.flatMap((overlap) => overlap.others));
  const message =
    kind === 'trace'
      ? `trace ${ids} is also in ${others}: one run was counted twice`
      : `model answer ${ids} is also in ${others}: a cache answered, so this is no second sample; "model: scripted" says that answers repeat by design`;
  return [{ kind: 'independence', message }];
}
