import { z } from 'zod';
import { faultRowsSchema } from '../../faults/plan/fault-plan.ts';

/** The fault plan of a suite, beside its scenarios: data, and what is needed to judge what agents make of it. */
export interface FaultsDocument {
  /** Parameters of `RecoveryClassified`. `budget` must be said, be it `unlimited`. */
  readonly recovery: Readonly<Record<string, unknown>>;
  /** Share of faulted runs that must say something of the agent; a gate refuses less. Default 0.8. */
  readonly minimumExercised?: number | undefined;
  readonly rows: readonly unknown[];
}

export const faultsSchema: z.ZodType<FaultsDocument> = z
  .strictObject({
    recovery: z
      .record(z.string(), z.unknown())
      .describe('Parameters of RecoveryClassified; budget must be said, be it unlimited.'),
    minimumExercised: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Share of faulted runs that must say something of the agent. Default: 0.8.'),
    rows: faultRowsSchema,
  })
  .describe('Fault plan for "otel-eval run": each row is a scenario of its own, task#row.');
