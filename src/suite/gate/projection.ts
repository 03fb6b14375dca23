import { z } from 'zod';
import { quantileBounds } from '../../statistics/censored-quantile.ts';
import { mean } from '../../statistics/mean.ts';
import {
  type Artifact,
  type GateReport,
  type GateScenario,
  type GateStatus,
  gateStatuses,
  type PackState,
} from './gate-report.ts';

/** A measure over the trials of a scenario. */
export interface MeasureSummary {
  readonly runs: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export interface ScenarioProjection {
  readonly name: string;
  readonly policy: string;
  readonly planned: number;
  readonly counts: Readonly<Record<GateStatus, number>>;
  readonly measures: Readonly<Record<string, MeasureSummary>>;
}

/**
 * What a release keeps of its evaluation: counts, percentiles and fingerprints. Names of scenarios, packs, models and
 * measures, and nothing else that a person wrote or an agent said.
 */
export interface Projection {
  readonly schema: 'otel-eval/projection/v1';
  /** Version of otel-eval. */
  readonly harness: string;
  readonly suite: string | null;
  readonly planHash: string;
  readonly corpusHash: string;
  readonly profile: string | null;
  readonly models: readonly string[];
  readonly artifact: Artifact | null;
  readonly packs: Readonly<Record<string, PackState>>;
  readonly scenarios: readonly ScenarioProjection[];
}

const count = z.int().nonnegative();
const counts = z.object({
  passed: count,
  failed: count,
  inconclusive: count,
  error: count,
  unavailable: count,
  notApplicable: count,
});
const measure = z.object({ runs: count, mean: z.number(), p50: z.number(), p95: z.number(), max: z.number() });

export const projectionSchema: z.ZodType<Projection> = z.object({
  schema: z.literal('otel-eval/projection/v1'),
  harness: z.string(),
  suite: z.string().nullable(),
  planHash: z.string(),
  corpusHash: z.string(),
  profile: z.string().nullable(),
  models: z.array(z.string()),
  artifact: z.object({ name: z.string(), sha256: z.string() }).nullable(),
  packs: z.record(z.string(), z.enum(['applicable', 'notApplicable', 'failedProof'])),
  scenarios: z.array(
    z.object({
      name: z.string(),
      policy: z.string(),
      planned: count,
      counts,
      measures: z.record(z.string(), measure),
    }),
  ),
});

/** The projection of a whole report. */
export function projectionOf(report: GateReport): Projection {
  const { plan } = report;
  return {
    schema: 'otel-eval/projection/v1',
    harness: report.version,
    suite: report.suite,
    planHash: plan.hash,
    corpusHash: plan.corpus,
    profile: plan.profile,
    models: plan.models,
    artifact: plan.artifact,
    packs: Object.fromEntries(report.applicability.map(({ pack, state }) => [pack, state])),
    scenarios: report.scenarios.map(projectScenario),
  };
}

function projectScenario({ name, policy, planned, trials }: GateScenario): ScenarioProjection {
  const tally = gateStatuses.map((status) => [status, trials.filter((trial) => trial.status === status).length]);
  const keys = [...new Set(trials.flatMap(({ measures }) => Object.keys(measures)))].sort();
  const measures = keys.flatMap((key) => {
    const values = trials.flatMap((trial) => trial.measures[key] ?? []);
    return values.length === 0 ? [] : [[key, summarize(values)] as const];
  });
  return {
    name,
    policy,
    planned,
    counts: Object.fromEntries(tally) as Record<GateStatus, number>,
    measures: Object.fromEntries(measures),
  };
}

function summarize(values: readonly number[]): MeasureSummary {
  const sample = values.map((value) => ({ value, censored: false }));
  const at = (quantile: number): number => quantileBounds(sample, quantile)?.estimate.atLeast ?? Number.NaN;
  return {
    runs: values.length,
    mean: Number(mean(values).toPrecision(6)),
    p50: at(0.5),
    p95: at(0.95),
    max: values.reduce((most, value) => Math.max(most, value)),
  };
}
