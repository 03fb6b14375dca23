import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { PackApplicability, Report, ReportPlan, ScenarioReport, TrialReport } from '../report.ts';
import { type RunReportGivens, runReport, type ScenarioRecords } from './run-report.ts';
import type { TrialRecord } from './trial-record.ts';

/** A report of `otel-eval run`, with the path it was read from. */
export interface ShardReport {
  readonly path: string;
  readonly report: Report;
}

/**
 * The report that one run of all shards would have given. Shards of another plan, seed or version do not fit together;
 * a shard that is not there leaves its trials not run, which is never a pass.
 */
export function mergeReports(shards: readonly ShardReport[], deterministic: boolean): Report {
  const parts = shards.map(({ path, report }) => ({ path, report, plan: planOf(path, report) }));
  const [first] = parts;
  if (first === undefined) throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected reports to merge, got none');
  for (const part of parts) requireFit(first, part);
  const seen = new Map<string, string>();
  for (const { path, plan } of parts) requireOnce(seen, path, plan);
  const reports = parts.map(({ report }) => report);
  const givens: RunReportGivens = {
    version: first.report.version,
    suite: first.report.suite,
    plan: { ...first.plan, shard: null },
    source: first.report.source,
    applicability: mergedPacks(reports),
    scenarios: first.plan.scenarios.flatMap((name) => mergedScenario(name, reports)),
    ...(deterministic ? {} : timesOf(reports)),
  };
  return runReport(givens);
}

interface Part extends ShardReport {
  readonly plan: ReportPlan;
}

function planOf(path: string, { plan }: Report): ReportPlan {
  if (plan !== undefined) return plan;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a report of "otel-eval run" in ${path}, it has no plan`, {
    source: path,
  });
}

function requireFit(first: Part, part: Part): void {
  const keys = ['hash', 'corpus', 'profile', 'seed'] as const;
  const differing = keys.find((key) => first.plan[key] !== part.plan[key]);
  const what = first.report.version !== part.report.version ? 'version of otel-eval' : differing;
  const counts = [first.plan.shard?.count, part.plan.shard?.count];
  if (what === undefined && counts[0] === counts[1]) return;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `${part.path} does not belong to ${first.path}: ${what === undefined ? 'number of shards' : (({ hash: 'plan' } as Record<string, string>)[what] ?? what)} differs`,
    { source: part.path },
  );
}

function requireOnce(seen: Map<string, string>, path: string, { shard }: ReportPlan): void {
  const key = shard === null ? 'whole' : `${shard.index}/${shard.count}`;
  const other = seen.get(key);
  if (other !== undefined) {
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `${path} and ${other} are both ${shard === null ? 'whole reports' : `shard ${key}`}`,
      {
        source: path,
      },
    );
  }
  seen.set(key, path);
}

function mergedScenario(name: string, reports: readonly Report[]): ScenarioRecords[] {
  const parts = reports.flatMap(({ scenarios }) => scenarios.filter((scenario) => scenario.name === name));
  const [first] = parts;
  if (first === undefined) return [];
  const planned = first.planned ?? 0;
  const notRun =
    parts.find(({ status, trials }) => trials.length === 0 && status === 'notApplicable') ?? parts.find(isUnprobed);
  const records = parts.flatMap(({ trials }) => trials.map(recordOf)).sort((a, b) => a.index - b.index);
  return [
    {
      name,
      tags: first.tags,
      policy: first.rule ?? { kind: 'all' },
      planned,
      here: planned,
      everyTrial: first.everyTrial ?? [],
      scripted: first.scripted ?? false,
      records,
      faulted: first.faulted,
      ...(notRun === undefined ? {} : { notRun: { status: notRun.status, reason: notRun.missing[0]?.message ?? '' } }),
    },
  ];
}

function isUnprobed({ trials, missing }: ScenarioReport): boolean {
  return trials.length === 0 && missing.some(({ kind }) => kind === 'pack');
}

/** As it was before independence was judged: that is judged anew over all shards. */
function recordOf(trial: TrialReport): TrialRecord {
  const assertions = trial.assertions.filter(({ name }) => name !== 'TrialIndependent');
  const proof = trial.proof ?? { responseIds: [], models: [], completeness: [], spans: 0, strays: 0 };
  return { ...trial, assertions, status: statusWithout(trial, assertions), proof };
}

function statusWithout(trial: TrialReport, assertions: TrialReport['assertions']): TrialRecord['status'] {
  const independent = trial.assertions.find(({ name }) => name === 'TrialIndependent');
  if (independent === undefined || independent.passed) return trial.status as TrialRecord['status'];
  const counting = assertions.filter(({ advisory }) => advisory !== true).map(({ status }) => status);
  return (
    (['failed', 'error', 'unavailable', 'inconclusive'] as const).find((status) => counting.includes(status)) ??
    'passed'
  );
}

function mergedPacks(reports: readonly Report[]): PackApplicability[] {
  const byName = new Map<string, PackApplicability>();
  for (const pack of reports.flatMap(({ applicability }) => applicability)) {
    const known = byName.get(pack.pack);
    if (known === undefined || (known.state === 'applicable' && pack.state !== 'applicable'))
      byName.set(pack.pack, pack);
  }
  return [...byName.values()];
}

function timesOf(reports: readonly Report[]): Pick<RunReportGivens, 'times'> {
  const starts = reports.flatMap(({ startedAt }) => (startedAt === undefined ? [] : [Date.parse(startedAt)]));
  if (starts.length !== reports.length || starts.length === 0) return {};
  const ends = reports.map(({ durationMs = 0 }, at) => (starts[at] ?? 0) + durationMs);
  return { times: { startedAtMs: Math.min(...starts), endedAtMs: Math.max(...ends) } };
}
