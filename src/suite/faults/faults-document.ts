import { z } from 'zod';
import { faultRowsSchema } from '../../faults/plan/fault-plan.ts';

/** The fault plan of a suite, beside its scenarios: data, and what is needed to judge what agents make of it. */
export interface FaultsDocument {
  /** Parameters of `RecoveryClassified`. `budget` must be said, be it `unlimited`. */
  readonly recovery: Readonly<Record<string, unknown>>;
  /** Share of faulted runs that must say something of the agent; a gate refuses less. Default 0.8. */
  readonly minimumExercised?: number | undefined;
  /** Runs of each task without a fault, to compare with. */
  readonly controls?: ControlsDocument | undefined;
  readonly rows: readonly unknown[];
}

export interface ControlsDocument {
  /** Default: 1 where the model is scripted, else 3. */
  readonly runs?: number | undefined;
  /** Share of them that must make the same tool calls. Default: where they differ, labels that depend on it stay open. */
  readonly agreement?: number | undefined;
}

const controls: z.ZodType<ControlsDocument> = z
  .strictObject({
    runs: z.int().positive().max(100).optional().describe('Default: 1 where the model is scripted, else 3.'),
    agreement: z.number().gt(0).max(1).optional().describe('Share of them that must make the same tool calls.'),
  })
  .describe('Runs of each task without a fault, to compare with.');

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
    controls: controls.optional(),
    rows: faultRowsSchema,
  })
  .describe('Fault plan for "otel-eval run": each row is a scenario of its own, task#row.');
