import { z } from 'zod';

/** A bound with its provenance. */
export interface Budget {
  readonly measure: string;
  /** Absent: all trials of the suite together. */
  readonly scenario?: string | undefined;
  readonly quantile: number;
  readonly max: number;
  readonly source: string;
}

/** How much worse may be, and what is demanded anyway. Written by people. */
export interface GateRules {
  /** False alarms of the whole gate, at most. */
  readonly alpha: number;
  /** Absent: no statistical comparison of the suite as a whole; for deterministic suites. */
  readonly nonInferiority?:
    | {
        /** How much lower than the baseline the mean pass rate of the scenarios may be. */
        readonly margin: number;
        readonly reason: string;
        /** Allow the bootstrap over fewer than 20 scenarios. */
        readonly approximate: boolean;
      }
    | undefined;
  /** p95 of a measure above this multiple of the baseline's is a regression, though everything passes. */
  readonly increases: readonly { readonly measure: string; readonly factor: number; readonly reason: string }[];
  readonly budgets: readonly Budget[];
}

const share = z.number().gt(0).lt(1);
const text = z.string().min(1);
const source = text
  .refine(
    (value) => !/^\s*observed\b/i.test(value),
    'expected where the bound comes from; "observed" only writes down what passes today',
  )
  .describe('Who or what demands this bound.');

const budget = z.strictObject({
  measure: text.describe('As durationMs, toolCalls, inputTokens.'),
  scenario: text.optional().describe('Default: all trials of the suite together.'),
  quantile: share.describe('As 0.95: so large a share of the runs stays within max.'),
  max: z.number().nonnegative(),
  source,
});

export const gateRulesSchema: z.ZodType<GateRules> = z.strictObject({
  alpha: share.default(0.05).describe('False alarms of the whole gate, at most.'),
  nonInferiority: z
    .strictObject({
      margin: share.describe('How much lower than the baseline the mean pass rate of the scenarios may be.'),
      reason: text,
      approximate: z.boolean().default(false).describe('Allow the bootstrap over fewer than 20 scenarios.'),
    })
    .optional(),
  increases: z
    .array(
      z.strictObject({
        measure: text,
        factor: z.number().gt(1).describe('As 1.5: p95 may be so many times that of the baseline.'),
        reason: text,
      }),
    )
    .default([]),
  budgets: z.array(budget).default([]),
});

/** Rules of a baseline that is written for the first time: deterministic evidence must hold, nothing else is demanded. */
export const firstRules: GateRules = { alpha: 0.05, increases: [], budgets: [] };
