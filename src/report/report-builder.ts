import type { JudgedTrial } from '../suite/judge/judge.ts';
import { lostSpans } from '../suite/judge/lost-spans.ts';
import type { TraceTally } from '../suite/judge/trace-tally.ts';
import { policyOf } from '../suite/policy/policy-of.ts';
import type { RunSelection } from '../suite/run-selection.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { combinedStatus, type TrialStatus } from '../suite/trial/trial-status.ts';
import type { CompletenessState } from '../trace/completeness.ts';
import type { Collection } from '../trace/trace-set.ts';
import type { MissingEvidence } from '../verdict/verdict.ts';
import { counted } from '../verdict/wording.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { policyOutcome } from './policy-outcome.ts';
import type { InputRemark, Report, ReportError, ReportSource, ScenarioReport, Status, TrialReport } from './report.ts';
import { SharedAssertions } from './shared-assertions.ts';
import { trialReport } from './trial-report.ts';

export interface ReportBuilderOptions {
  readonly version: string;
  readonly suite: Suite;
  readonly accepted: 'proven' | 'settled';
  /** What was asked for beside the suite, to say what was not found. */
  readonly asked: RunSelection & { readonly traceIds: readonly string[] };
  /** Leaves times and durations out. */
  readonly deterministic: boolean;
  /** Command line that judges one trial again. */
  readonly rerun: (trial: JudgedTrial) => string | null;
}

export interface ReportEnd {
  readonly collection: Collection;
  readonly tally: TraceTally;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** The source stopped answering: what it gave until then was judged. */
  readonly unavailable?: ReportError;
}

/** Trees of so many trials are kept; the others name their traces, and `otel-eval show` prints them. */
const mostTrees = 200;
const mostProblems = 10;

interface Kept {
  readonly startUnixNano: bigint;
  readonly trial: Omit<TrialReport, 'index'>;
}

/** Takes trials one by one, keeps what a report says of them, and makes the report in the end. */
export class ReportBuilder {
  readonly #options: ReportBuilderOptions;
  readonly #trials = new Map<Scenario, Kept[]>();
  readonly #states = new Map<string, CompletenessState>();
  readonly #forgotten = new Set<string>();
  readonly #assertions = new SharedAssertions();
  #trees = 0;

  constructor(options: ReportBuilderOptions) {
    this.#options = options;
  }

  add(judged: JudgedTrial): void {
    for (const { trace, replaces } of judged.view.traces) if (replaces === true) this.#forget(trace.traceId);
    const { deterministic, rerun } = this.#options;
    const withTree = this.#trees < mostTrees;
    const trial = trialReport(judged, { deterministic, withTree, rerun: rerun(judged) });
    if (trial.tree.length > 0) this.#trees += 1;
    for (const { trace, completeness } of judged.view.traces) this.#states.set(trace.traceId, completeness.state);
    const startUnixNano = judged.view.traces[0]?.trace.spans[0]?.startUnixNano ?? 0n;
    const known = this.#trials.get(judged.scenario) ?? [];
    this.#trials.set(judged.scenario, known);
    const assertions = trial.assertions.map((assertion) => this.#assertions.of(assertion));
    known.push({ startUnixNano, trial: { ...trial, assertions } });
  }

  /** Drops what was made of a trace before its run was known to have others. */
  #forget(traceId: string): void {
    if (this.#forgotten.has(traceId)) return;
    this.#forgotten.add(traceId);
    for (const [scenario, kept] of this.#trials) {
      const others = kept.filter(({ trial }) => !trial.traceIds.includes(traceId));
      this.#trials.set(scenario, others);
    }
  }

  finish(end: ReportEnd): Report {
    const { version, suite, deterministic } = this.#options;
    const lost = lostSpans(end.collection.inputs());
    const { unavailable } = end;
    const scenarios = suite.scenarios.map((scenario) => {
      const report = this.#scenario(scenario, lost, end.tally);
      return unavailable === undefined ? report : notAllSeen(report, unavailable);
    });
    const status = combinedStatus(scenarios.map((scenario) => scenario.status as TrialStatus));
    return {
      schema: 'otel-eval/report/v1',
      version,
      suite: suite.name,
      ...(deterministic
        ? {}
        : { startedAt: new Date(end.startedAtMs).toISOString(), durationMs: end.endedAtMs - end.startedAtMs }),
      status,
      exitCode: exitCodeOf(status),
      source: this.#source(end),
      summary: summaryOf(scenarios),
      applicability: [],
      scenarios,
      ...(unavailable === undefined ? {} : { error: unavailable }),
    };
  }

  #scenario(scenario: Scenario, lost: readonly MissingEvidence[], tally: TraceTally): ScenarioReport {
    const { name, tags } = scenario;
    const kept = this.#trials.get(scenario) ?? [];
    const trials = kept.sort(inOrder).map(({ trial }, i) => ({ index: i + 1, ...trial }));
    const { status, missing, ...policy } = this.#outcome(scenario, trials);
    const nothing = trials.length === 0 ? [nothingSelected(scenario, this.#options.asked, tally)] : [];
    const undecided = status === 'passed' && lost.length > 0;
    return {
      name,
      status: undecided ? 'inconclusive' : status,
      tags,
      trials,
      missing: [...nothing, ...missing, ...(undecided ? lost : [])],
      ...policy,
    };
  }

  /** By the policy of the suite, where it has one: a rate over production runs, say. Else every run must pass. */
  #outcome(
    { run }: Scenario,
    trials: readonly TrialReport[],
  ): Pick<ScenarioReport, 'status' | 'missing'> & Partial<ScenarioReport> {
    const written = run?.own.policy ?? this.#options.suite.run?.defaults.policy;
    if (written !== undefined && trials.length > 0) return policyOutcome(policyOf(written), trials);
    return { status: combinedStatus(trials.map((trial) => trial.status as TrialStatus)), missing: [] };
  }

  #source({ collection, tally }: ReportEnd): ReportSource {
    const found = collection.inputs().flatMap(({ input, problems }) => problems.map((each) => ({ input, ...each })));
    const problems = [...found, ...this.#unseenLogs(collection)];
    const completeness: Partial<Record<CompletenessState, number>> = {};
    for (const state of [...this.#states.values()].sort()) completeness[state] = (completeness[state] ?? 0) + 1;
    return {
      kind: collection.source.kind,
      address: collection.source.address,
      completeness,
      fetched: tally.fetched,
      unselected: tally.unselected,
      unselectedTraces: tally.mentions,
      accepted: this.#options.accepted,
      problems: { count: problems.length, first: problems.slice(0, mostProblems) },
    };
  }

  /** A run's privacy is judged by its own log records; content may stand in those of no trace too. */
  #unseenLogs(collection: Collection): readonly InputRemark[] {
    const loose = collection.looseLogs().length;
    const judged = this.#options.suite.scenarios.some(({ assertions }) =>
      assertions.some(({ assertion }) => assertion.id === 'TracePrivacyModes'),
    );
    if (loose === 0 || !judged) return [];
    const message = `${counted(loose, 'log record')} of no trace here, which TracePrivacyModes does not look at; "otel-eval scan" does`;
    return [{ input: collection.source.address, code: 'logs-of-no-trace', message, at: 'logs' }];
  }
}

/** Runs may be missing: what failed stays failed, nothing else stands. */
function notAllSeen(report: ScenarioReport, { code, message }: ReportError): ScenarioReport {
  const status = combinedStatus([report.status as TrialStatus, 'unavailable']);
  return { ...report, status, missing: [...report.missing, { kind: code, message }] };
}

/** The order of a report must not hang on the order in which a server answered. */
function inOrder(a: Kept, b: Kept): number {
  if (a.startUnixNano !== b.startUnixNano) return a.startUnixNano < b.startUnixNano ? -1 : 1;
  const [first = '', second = ''] = [a.trial.traceIds[0], b.trial.traceIds[0]];
  return first < second ? -1 : first > second ? 1 : 0;
}

function nothingSelected(
  { select }: Scenario,
  { traceIds, ...asked }: ReportBuilderOptions['asked'],
  { fetched }: TraceTally,
): MissingEvidence {
  const wanted = [...Object.entries(asked), ...Object.entries(select)].filter(([, value]) => value !== undefined);
  const conditions = [
    ...new Set(wanted.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)),
  ];
  const within = traceIds.length === 0 ? '' : ` in trace ${traceIds.join(' or ')}`;
  const condition = `${within}${conditions.length === 0 ? '' : ` with ${conditions.join(' and ')}`}`;
  const { traces } = fetched;
  const among =
    traces === 0 ? 'the source holds no trace' : `${traces} ${traces === 1 ? 'trace was' : 'traces were'} read`;
  return { kind: 'nothing-selected', message: `expected at least one run${condition}, got none: ${among}` };
}

function summaryOf(scenarios: readonly ScenarioReport[]): Record<Status, number> {
  const summary = { passed: 0, failed: 0, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 };
  for (const { status } of scenarios) summary[status] += 1;
  return summary;
}
