import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { AttemptRow } from './attempt-model.ts';

/** A bound on attempts and how it came about. */
export interface AttemptBudget {
  readonly max: number;
  /** Who demands it. Never "observed". */
  readonly source: string;
  readonly formula: string;
  /** Of the last attempt that fits. */
  readonly at: number;
}

/**
 * Attempts that fit into the time that a limit leaves. `beyondFirst`: the first attempt is a part of the happy path, so that
 * only the time after it is charged. Percentiles do not subtract: where the limit is one, the result is a rule of thumb.
 *
 * @param elapsedSeconds - cumulative, by attempt, as measured
 * @example
 * budgetFromLatency({ limitSeconds: 20, happyPathSeconds: 7, elapsedSeconds, source: 'SLO of 2026-11' }).max; // 5
 */
export function budgetFromLatency(given: {
  readonly limitSeconds: number;
  readonly happyPathSeconds: number;
  readonly elapsedSeconds: readonly number[];
  readonly source: string;
  readonly beyondFirst?: boolean | undefined;
}): AttemptBudget {
  const { limitSeconds, happyPathSeconds, elapsedSeconds, source, beyondFirst = false } = given;
  requireSource(source);
  const left = limitSeconds - happyPathSeconds;
  const free = beyondFirst ? (elapsedSeconds[0] ?? 0) : 0;
  const max = elapsedSeconds.filter((elapsed) => elapsed - free <= left).length;
  requireAny(max, `${left} s`);
  const formula = `${beyondFirst ? 'elapsed(k) − elapsed(1)' : 'elapsed(k)'} ≤ ${limitSeconds} s − ${happyPathSeconds} s = ${left} s`;
  return { max, source, formula, at: elapsedSeconds[max - 1] ?? 0 };
}

/** Attempts that fit into what a run may cost. */
export function budgetFromCost(given: {
  readonly maxCost: number;
  readonly table: readonly AttemptRow[];
  readonly source: string;
}): AttemptBudget {
  const { maxCost, table, source } = given;
  requireSource(source);
  const max = table.filter(({ cost }) => cost <= maxCost).length;
  requireAny(max, `$${maxCost}`);
  return { max, source, formula: `cost(k) ≤ $${maxCost}`, at: table[max - 1]?.cost ?? 0 };
}

/** A budget that was changed on purpose: what it was, what it is, and what the new one costs. */
export interface BudgetChange {
  readonly from: number;
  readonly to: number;
  readonly source: string;
  readonly cost: number | null;
  readonly seconds: number | null;
}

export function budgetChange(
  from: number,
  budget: AttemptBudget,
  { table, elapsedSeconds }: { readonly table?: readonly AttemptRow[]; readonly elapsedSeconds?: readonly number[] },
): BudgetChange {
  const at = budget.max - 1;
  return {
    from,
    to: budget.max,
    source: budget.source,
    cost: table?.[at]?.cost ?? null,
    seconds: elapsedSeconds?.[at] ?? null,
  };
}

function requireSource(source: string): void {
  if (source.trim() !== '' && !/^\s*observed\b/i.test(source)) return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected where the bound comes from, got nothing or "observed"', {
    hint: 'name the requirement, or a pilot with its date and number of runs',
  });
}

function requireAny(max: number, limit: string): void {
  if (max > 0) return;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a limit that one attempt fits into, got ${limit}`);
}
