import { modeName } from '../../faults/plan/injection-mode.ts';
import { packageVersion } from '../../package-version.ts';
import type { PackApplicability, Report } from '../../report/report.ts';
import type { FaultedScenario } from '../../report/resilience-report.ts';
import { type RunReportGivens, runReport, type ScenarioRecords } from '../../report/run/run-report.ts';
import { type TrialRecord, trialRecord } from '../../report/run/trial-record.ts';
import type { WaterfallStore } from '../../report/waterfall/waterfall-store.ts';
import type { ScenarioFault } from '../../suite/faults/parse-faults.ts';
import type { Artifact } from '../../suite/gate/gate-report.ts';
import type { Probe } from '../../suite/run/probe-packs.ts';
import type { TrialPorts } from '../../suite/run/run-one-trial.ts';
import type { PlannedScenario, RunPlan } from '../../suite/run/run-plan.ts';
import { type RanSuite, runSuite } from '../../suite/run/run-suite.ts';
import type { Target } from '../../suite/target/target.ts';
import { inPhase } from '../../suite/trial/harness-tracing.ts';
import type { Journal } from '../../suite/trial/journal.ts';
import { randomId } from '../../suite/trial/random-id.ts';
import { displayName } from '../../trace/display-name.ts';
import type { Context } from '../context.ts';
import { digestFrom } from '../digest-key.ts';
import type { SourceSettings } from '../source-settings.ts';
import { concurrencyOf } from './concurrency-of.ts';
import { openEvidence } from './open-evidence.ts';
import type { OwnTrace } from './own-trace.ts';
import { Progress } from './progress.ts';
import { rerunTrialLine } from './rerun-line.ts';
import { stopSignals } from './stop-signals.ts';

export interface RunPlanGivens {
  /** Of the suite, as the user wrote it. */
  readonly path: string;
  readonly target: Target;
  readonly settings: SourceSettings;
  readonly artifact: Artifact | null;
  readonly journal: Journal | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** Where HTML is wanted. */
  readonly waterfalls: WaterfallStore | undefined;
}

const harnessMs = 30_000;

/** Runs a plan and reports. */
export async function runPlan(plan: RunPlan, givens: RunPlanGivens, context: Context): Promise<Report> {
  const { target, settings, options } = givens;
  const startedAtMs = context.now();
  const evidence = await openEvidence({ settings, target, listen: options['listen'] as string | undefined }, context);
  const ownTrace = await ownTraceOf(options['ownTrace'] as string | undefined, context);
  const stop = stopSignals((text) => context.note(text));
  const deterministic = options['deterministic'] === true;
  const progress = new Progress(plan.trials.length, context, options['quiet'] === true);
  try {
    const ports: TrialPorts = {
      suite: plan.suite,
      target,
      evidence,
      acceptsSettled: settings.accepted === 'settled',
      digest: digestFrom(options, context),
      now: context.now,
      newId: randomId,
      harnessMs,
      signal: stop.signal,
    };
    const ran = await inPhase(ownTrace, { name: 'otel_eval run' }, (tracing) =>
      runSuite<TrialRecord>(plan, {
        ports: { ...ports, ...(tracing === undefined ? {} : { tracing }) },
        concurrency: concurrencyOf(plan, options),
        bail: options['bail'] === true,
        record: (outcome) => {
          if (outcome.judged !== null) givens.waterfalls?.see(outcome.judged);
          return trialRecord(outcome, { deterministic, rerun: (each) => rerunTrialLine(givens.path, plan, each) });
        },
        statusOf: (outcome) => trialRecord(outcome, { deterministic, rerun: () => '' }).status,
        journal: givens.journal,
        onFinished: (_, record) => progress.finished(record.status),
      }),
    );
    return runReport({
      ...reportGivens(plan, ran, givens),
      source: { kind: evidence.kind, address: evidence.address, accepted: settings.accepted },
      ...(deterministic ? {} : { times: { startedAtMs, endedAtMs: context.now() } }),
    });
  } finally {
    stop.release();
    await evidence.close();
    await ownTrace?.close();
  }
}

/** Loads the SDK only where a trace is wanted. */
async function ownTraceOf(where: string | undefined, { cwd }: Context): Promise<OwnTrace | undefined> {
  if (where === undefined) return undefined;
  const { openOwnTrace } = await import('./own-trace.ts');
  return openOwnTrace(where, cwd);
}

function reportGivens(
  plan: RunPlan,
  { records, probe }: RanSuite<TrialRecord>,
  givens: RunPlanGivens,
): Omit<RunReportGivens, 'times' | 'source'> {
  const { target, artifact } = givens;
  return {
    version: packageVersion(),
    suite: plan.suite.name,
    plan: {
      hash: plan.hash,
      corpus: plan.corpus,
      profile: plan.profile,
      seed: plan.seed,
      scenarios: plan.scenarios.map(({ scenario }) => scenario.name),
      target: { kind: target.kind, label: target.label },
      artifact,
      shard: plan.shard,
    },
    applicability: packsOf(plan, probe),
    scenarios: plan.scenarios.flatMap((planned) => scenarioRecords(planned, plan, { records, probe })),
  };
}

function scenarioRecords(
  planned: PlannedScenario,
  plan: RunPlan,
  { records, probe }: RanSuite<TrialRecord>,
): ScenarioRecords[] {
  const { scenario, policy } = planned;
  const trials = plan.trials.filter((trial) => trial.scenario === scenario.name);
  // What has no trial in this shard is the business of the others.
  if (trials.length === 0) return [];
  const notRun = whyNotRun(planned, probe);
  return [
    {
      name: scenario.name,
      tags: scenario.tags,
      policy,
      planned: planned.planned,
      here: trials.length,
      everyTrial: scenario.run?.everyTrial ?? [],
      scripted: planned.scripted,
      records: trials.flatMap((trial) => records.get(trial) ?? []),
      faulted: faultedScenario(scenario.run?.fault),
      ...(notRun === undefined ? {} : { notRun }),
    },
  ];
}

function faultedScenario(fault: ScenarioFault | undefined): FaultedScenario | undefined {
  if (fault === undefined) return undefined;
  const { plan, row, minimumExercised, repeatable } = fault;
  const { task, point } = row;
  return {
    plan: plan.hash,
    task: displayName(task),
    row: row.row,
    kind: row.fault.kind,
    point,
    mode: modeName(row.mode),
    minimumExercised,
    repeatable,
  };
}

/** A pack of which the manifest says nothing is tried: `missing` names what was not told. */
function packsOf(plan: RunPlan, probe: Probe): PackApplicability[] {
  const names = [...new Set(plan.scenarios.flatMap(({ pack }) => pack?.name ?? []))];
  return names.map((pack) => {
    const found = probe.packs.get(pack);
    if (probe.problem !== null || found === undefined) {
      return { pack, state: 'failedProof', missing: [probe.problem?.message ?? 'it was not probed'] };
    }
    return { pack, state: found.state === 'unknown' ? 'applicable' : found.state, missing: found.missing };
  });
}

function whyNotRun({ pack }: PlannedScenario, probe: Probe): ScenarioRecords['notRun'] | undefined {
  if (pack === undefined) return undefined;
  if (probe.problem !== null) {
    const { status, message } = probe.problem;
    return { status, reason: `whether pack ${pack.name} applies could not be told: ${message}` };
  }
  const found = probe.packs.get(pack.name);
  if (found?.state !== 'notApplicable') return undefined;
  return { status: 'notApplicable', reason: `pack ${pack.name} does not apply; missing: ${found.missing.join(', ')}` };
}
