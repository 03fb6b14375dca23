import { unseenRate } from '../../statistics/unseen-rate.ts';
import { wilson } from '../../statistics/wilson.ts';
import { type PolicyVerdict, policyVerdict } from '../../suite/policy/policy-verdict.ts';
import { countTrials } from '../../suite/policy/trial-counts.ts';
import { policyText, type TrialPolicy } from '../../suite/policy/trial-policy.ts';
import { type Overlap, overlapsOf } from '../../suite/trial/independence.ts';
import { combinedStatus, type TrialStatus } from '../../suite/trial/trial-status.ts';
import type { CompletenessState } from '../../trace/completeness.ts';
import { diagnosisOf } from '../diagnosis.ts';
import { exitCodeOf } from '../exit-code-of.ts';
import type {
  PackApplicability,
  Report,
  ReportPlan,
  ReportSource,
  ScenarioRate,
  ScenarioReport,
  Status,
  TrialReport,
} from '../report.ts';
import type { FaultedScenario } from '../resilience-report.ts';
import { isExcused, resilienceOf } from './resilience.ts';
import { trialIndependent } from './trial-assertions.ts';
import type { TrialRecord } from './trial-record.ts';

/** One scenario with what is known of its trials. */
export interface ScenarioRecords {
  readonly name: string;
  readonly tags: readonly string[];
  readonly policy: TrialPolicy;
  /** In all shards together. */
  readonly planned: number;
  /** Of this shard; the same where there is only one. */
  readonly here: number;
  readonly everyTrial: readonly string[];
  readonly scripted: boolean;
  readonly records: readonly TrialRecord[];
  readonly faulted?: FaultedScenario | undefined;
  /** Why it was not run: its pack does not apply, or could not be told to. */
  readonly notRun?: { readonly status: Status; readonly reason: string };
}

export interface RunReportGivens {
  readonly version: string;
  readonly suite: string | null;
  readonly plan: Omit<ReportPlan, 'models' | 'evidenceLevel'>;
  readonly source: Pick<ReportSource, 'kind' | 'address' | 'accepted'>;
  readonly applicability: readonly PackApplicability[];
  readonly scenarios: readonly ScenarioRecords[];
  /** Absent in deterministic output. */
  readonly times?: { readonly startedAtMs: number; readonly endedAtMs: number };
}

/** The report of a run, or of several shards of one. */
export function runReport(givens: RunReportGivens): Report {
  const { version, suite, plan, times } = givens;
  const records = givens.scenarios.flatMap((scenario) => scenario.records);
  const overlaps = overlapsOf(
    givens.scenarios.flatMap(({ name, scripted, records: own }) =>
      own.map(({ index, traceIds, proof }) => ({
        key: `${name}#${index}`,
        traceIds,
        responseIds: scripted ? [] : proof.responseIds,
      })),
    ),
  );
  const scenarios = givens.scenarios.map((scenario) => scenarioReport(scenario, overlaps));
  const resilience = resilienceOf(scenarios);
  const status = overallStatus(scenarios, resilience);
  return {
    schema: 'otel-eval/report/v1',
    version,
    suite,
    ...(times === undefined
      ? {}
      : { startedAt: new Date(times.startedAtMs).toISOString(), durationMs: times.endedAtMs - times.startedAtMs }),
    status,
    exitCode: exitCodeOf(status),
    source: sourceOf(givens.source, records),
    summary: summaryOf(scenarios.filter(({ faulted }) => faulted === undefined)),
    applicability: givens.applicability.map((pack) => provenOr(pack, scenarios)),
    scenarios,
    ...(resilience === undefined ? {} : { resilience }),
    plan: {
      ...plan,
      models: [...new Set(records.flatMap(({ proof }) => proof.models))].sort(),
      evidenceLevel: evidenceLevel(givens.scenarios),
    },
  };
}

function scenarioReport(scenario: ScenarioRecords, overlaps: ReadonlyMap<string, readonly Overlap[]>): ScenarioReport {
  const { name, tags, policy, planned, everyTrial, notRun } = scenario;
  const trials = scenario.records.map((record) =>
    withIndependence(record, overlaps.get(`${name}#${record.index}`) ?? []),
  );
  const verdict = verdictOf(scenario, trials);
  const missing =
    notRun === undefined
      ? verdict.reason === null
        ? []
        : [{ kind: kindOf(verdict), message: verdict.reason }]
      : [{ kind: 'pack', message: notRun.reason }];
  return {
    name,
    status: notRun?.status ?? verdict.status,
    tags,
    trials,
    missing,
    planned,
    policy: policyText(policy, planned),
    scripted: scenario.scripted,
    rule: policy,
    everyTrial,
    ...(scenario.faulted === undefined ? {} : { faulted: scenario.faulted }),
    ...(notRun === undefined ? { rate: rateOf(trials, scenario.scripted) } : {}),
  };
}

function rateOf(trials: readonly TrialReport[], scripted: boolean): ScenarioRate {
  const passed = trials.filter(({ status }) => status === 'passed').length;
  const { lower, upper } = wilson(passed, trials.length);
  const unseen = !scripted && passed > 0 && passed === trials.length;
  return {
    passed,
    of: trials.length,
    lower: rounded(lower),
    upper: rounded(upper),
    ...(unseen ? { unseenBelow: rounded(unseenRate(passed)) } : {}),
  };
}

/** `all` can be judged in a shard by its own trials; any other policy needs those of all shards. */
function verdictOf(
  { policy, planned, here, everyTrial }: ScenarioRecords,
  trials: readonly TrialReport[],
): PolicyVerdict {
  const statuses = trials.map(({ status }) => status as TrialStatus);
  const verdict = policyVerdict(policy, countTrials(statuses, policy.kind === 'all' ? here : planned));
  const broken = everyTrial.flatMap((name) => {
    const found = trials.flatMap(({ assertions }) =>
      assertions.filter((assertion) => assertion.name === name && assertion.status !== 'passed'),
    );
    return found.map(({ status }) => ({ name, status: status as TrialStatus }));
  });
  if (broken.length === 0 || verdict.status === 'failed') return verdict;
  const status = combinedStatus([verdict.status, ...broken.map((each) => each.status)]);
  const names = [...new Set(broken.map(({ name }) => name))].join(', ');
  return { status, reason: `${names} must hold in every trial, and did not in ${broken.length}`, furtherRuns: null };
}

function withIndependence(record: TrialRecord, overlaps: readonly Overlap[]): TrialReport {
  const independent = trialIndependent(record.proof.spans, overlaps);
  const at = record.assertions.findIndex(({ name }) => name === 'TrialTraced') + 1;
  const assertions = [...record.assertions.slice(0, at), independent, ...record.assertions.slice(at)];
  const status = combinedStatus([record.status, independent.status as TrialStatus]);
  const diagnosis = status === 'passed' ? undefined : diagnosisOf(assertions);
  const { diagnosis: _, ...rest } = record;
  return { ...rest, status, assertions, ...(diagnosis === undefined ? {} : { diagnosis }) };
}

function overallStatus(scenarios: readonly ScenarioReport[], resilience: Report['resilience']): Status {
  const run = scenarios.filter(({ status }) => status !== 'notApplicable');
  if (run.length === 0 && scenarios.length > 0) return 'notApplicable';
  const counting = run.filter((scenario) => !isExcused(scenario, resilience));
  return combinedStatus(counting.map(({ status }) => status as TrialStatus));
}

/** A pack that was declared and then not proven in a trial is a failed proof. */
function provenOr(pack: PackApplicability, scenarios: readonly ScenarioReport[]): PackApplicability {
  if (pack.state !== 'applicable') return pack;
  const broken = scenarios
    .flatMap(({ trials }) => trials.flatMap(({ assertions }) => assertions))
    .filter(({ name, status }) => name === 'PackProven' && status === 'failed')
    .flatMap(({ findings }) => findings)
    .filter((finding) => finding.arguments['pack'] === pack.pack);
  if (broken.length === 0) return pack;
  const missing = broken.flatMap(
    ({ arguments: args }) => (args['missing'] ?? args['stages'] ?? []) as readonly string[],
  );
  return { ...pack, state: 'failedProof', missing: [...new Set(missing)] };
}

function sourceOf(source: RunReportGivens['source'], records: readonly TrialRecord[]): ReportSource {
  const completeness: Partial<Record<CompletenessState, number>> = {};
  for (const state of records.flatMap(({ proof }) => proof.completeness).sort())
    completeness[state] = (completeness[state] ?? 0) + 1;
  const traces = records.reduce((sum, { traceIds }) => sum + traceIds.length, 0);
  const spans = records.reduce((sum, { proof }) => sum + proof.spans, 0);
  return {
    kind: source.kind,
    address: source.address,
    completeness,
    fetched: { traces, spans },
    // Traces of others at a shared source are nobody's business here: they are counted where a trial found none of its own.
    unselected: { traces: 0, spans: 0 },
    unselectedTraces: [],
    accepted: source.accepted,
    problems: { count: 0, first: [] },
  };
}

function evidenceLevel(scenarios: readonly ScenarioRecords[]): ReportPlan['evidenceLevel'] {
  if (scenarios.some(({ scripted }) => scripted)) return 'scripted_model';
  return scenarios.every(({ planned }) => planned === 1) ? 'live_n1' : 'live_n';
}

function summaryOf(scenarios: readonly ScenarioReport[]): Record<Status, number> {
  const summary = { passed: 0, failed: 0, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 };
  for (const { status } of scenarios) summary[status] += 1;
  return summary;
}

function kindOf({ furtherRuns }: PolicyVerdict): string {
  return furtherRuns === null ? 'policy' : 'statistics';
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
