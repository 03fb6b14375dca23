import { z } from 'zod';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Shard } from '../trial/shard.ts';

export type GateStatus = 'passed' | 'failed' | 'inconclusive' | 'error' | 'unavailable' | 'notApplicable';
export type PackState = 'applicable' | 'notApplicable' | 'failedProof';

export const gateStatuses: readonly GateStatus[] = [
  'passed',
  'failed',
  'inconclusive',
  'error',
  'unavailable',
  'notApplicable',
];

/** What a gate reads of a report: states, counts and measures. Everything else in the file is let by. */
export interface GateReport {
  readonly version: string;
  readonly suite: string | null;
  readonly plan: GatePlan;
  readonly applicability: readonly GatePack[];
  readonly scenarios: readonly GateScenario[];
  /** Of a run with a fault plan. */
  readonly resilience?: GateResilience | undefined;
}

export interface GateResilience {
  readonly repeatable: boolean;
  readonly runs: number;
  readonly planned: number;
  readonly exercisedShare: number;
  readonly minimumExercised: number;
}

export interface Artifact {
  readonly name: string;
  readonly sha256: string;
}

export interface GatePlan {
  /** Of scenarios, steps, assertions, policies and target. */
  readonly hash: string;
  /** Of the inputs alone. */
  readonly corpus: string;
  readonly profile: string | null;
  readonly seed: number;
  /** As the traces name them, sorted. */
  readonly models: readonly string[];
  readonly artifact: Artifact | null;
  readonly shard: Shard | null;
}

export interface GatePack {
  readonly pack: string;
  readonly state: PackState;
  readonly missing: readonly string[];
}

export interface GateScenario {
  readonly name: string;
  readonly status: GateStatus;
  readonly planned: number;
  readonly policy: string;
  readonly trials: readonly GateTrial[];
  /** A fault plan has made it. */
  readonly faulted?: { readonly row: string } | undefined;
}

export interface GateTrial {
  readonly index: number;
  readonly status: GateStatus;
  /** Numbers only: `durationMs`, `toolCalls`, `inputTokens` …; `null` where the trace does not tell. */
  readonly measures: Readonly<Record<string, number | null>>;
}

const status = z.enum(['passed', 'failed', 'inconclusive', 'error', 'unavailable', 'notApplicable']);

const plan: z.ZodType<GatePlan> = z.object({
  hash: z.string(),
  corpus: z.string(),
  profile: z.string().nullable(),
  seed: z.number(),
  models: z.array(z.string()),
  artifact: z.object({ name: z.string(), sha256: z.string() }).nullable(),
  shard: z.object({ index: z.int(), count: z.int() }).nullable(),
});

const pack: z.ZodType<GatePack> = z.object({
  pack: z.string(),
  state: z.enum(['applicable', 'notApplicable', 'failedProof']),
  missing: z.array(z.string()),
});

const trial: z.ZodType<GateTrial> = z.object({
  index: z.int(),
  status,
  measures: z.record(z.string(), z.number().nullable()),
});

const resilience: z.ZodType<GateResilience> = z.object({
  repeatable: z.boolean(),
  runs: z.int(),
  planned: z.int(),
  exercisedShare: z.number(),
  minimumExercised: z.number(),
});

const reportSchema: z.ZodType<GateReport> = z.object({
  version: z.string(),
  suite: z.string().nullable(),
  plan,
  applicability: z.array(pack),
  resilience: resilience.optional(),
  scenarios: z.array(
    z.object({
      name: z.string(),
      status,
      planned: z.int(),
      policy: z.string(),
      trials: z.array(trial),
      faulted: z.object({ row: z.string() }).optional(),
    }),
  ),
});

/** Reads a JSON report of `otel-eval run`. `shown` is the path as the user wrote it. */
export function parseGateReport(text: string, shown: string): GateReport {
  const refuse = (what: string): OtelEvalError =>
    new OtelEvalError('OTEL_EVAL_USAGE', `expected a report of "otel-eval run --json" in ${shown}, ${what}`, {
      source: shown,
    });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const schema = typeof data === 'object' && data !== null ? (data as { schema?: unknown }).schema : undefined;
  if (schema !== 'otel-eval/report/v1') throw refuse('its schema is another one');
  const result = reportSchema.safeParse(data);
  if (result.success) return result.data;
  throw refuse(`${result.error.issues[0]?.path.join('.') || 'a field'} is missing or wrong`);
}
