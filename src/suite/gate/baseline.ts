import { z } from 'zod';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { GateReport, GateScenario } from './gate-report.ts';
import { firstRules, type GateRules, gateRulesSchema } from './gate-rules.ts';
import { type Projection, projectionOf, projectionSchema } from './projection.ts';

/** What a pack must be, and, where it does not apply, why. */
export type PackPin = 'applicable' | { readonly notApplicable: string };

/** What a release is compared with, and by which rules. Rules and pins are people's; the projection is measured. */
export interface Baseline {
  readonly schema: 'otel-eval/baseline/v1';
  readonly packs: Readonly<Record<string, PackPin>>;
  readonly rules: GateRules;
  readonly projection: Projection;
}

const pin: z.ZodType<PackPin> = z.union([
  z.literal('applicable'),
  z.strictObject({ notApplicable: z.string().min(1) }),
]);

const baseline: z.ZodType<Baseline> = z.strictObject({
  schema: z.literal('otel-eval/baseline/v1'),
  packs: z.record(z.string(), pin),
  rules: gateRulesSchema,
  projection: projectionSchema,
});

export function parseBaseline(data: unknown, shown: string): Baseline {
  const result = baseline.safeParse(data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the document';
  throw new OtelEvalError('OTEL_EVAL_USAGE', `${shown} is no baseline: ${where}: ${issue?.message ?? 'it is wrong'}`, {
    source: shown,
    hint: 'make one with "otel-eval gate REPORT --write-baseline FILE"',
  });
}

/**
 * The baseline that a report makes; rules and pins of an earlier one are kept. Refused where anything in it was not
 * decided: what could not be looked at must not become the measure of later releases.
 */
export function baselineOf(report: GateReport, earlier: Baseline | undefined): Baseline {
  const problems = [...report.scenarios.flatMap(undecided), ...unproven(report), ...sharded(report)];
  const [first] = report.scenarios.length === 0 ? ['it holds no scenario'] : problems;
  if (first !== undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `this report makes no baseline: ${first}`, {
      hint: 'run the suite again when everything that it needs is there',
    });
  }
  const pins = report.applicability.map(({ pack, state, missing }): [string, PackPin] => {
    const known = earlier?.packs[pack];
    if (state === 'applicable') return [pack, 'applicable'];
    return [pack, typeof known === 'object' ? known : { notApplicable: `missing: ${missing.join(', ')}` }];
  });
  return {
    schema: 'otel-eval/baseline/v1',
    packs: Object.fromEntries(pins),
    rules: earlier?.rules ?? firstRules,
    projection: projectionOf(report),
  };
}

function undecided({ name, status, trials, planned }: GateScenario): string[] {
  if (status === 'notApplicable') return [];
  const open = trials.filter((trial) => trial.status !== 'passed' && trial.status !== 'failed');
  const kinds = [...new Set(open.map((trial) => trial.status))].join(', ');
  if (open.length > 0) return [`of the trials of "${name}", ${open.length} are ${kinds}`];
  const missing = planned - trials.length;
  return missing > 0 || planned === 0 ? [`of the trials of "${name}", ${missing} did not run`] : [];
}

function unproven({ applicability }: GateReport): string[] {
  return applicability.filter(({ state }) => state === 'failedProof').map(({ pack }) => `pack "${pack}" is not proven`);
}

function sharded({ plan: { shard } }: GateReport): string[] {
  return shard === null ? [] : [`it is shard ${shard.index} of ${shard.count}; merge them first`];
}
