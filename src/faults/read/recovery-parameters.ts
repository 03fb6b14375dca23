import { z } from 'zod';
import type { Json } from '../../agent/run.ts';
import { type BudgetBound, budgetBound } from '../../verdict/budget-bound.ts';
import type { MessagePatterns } from '../message/read-message.ts';
import type { RecoveryOptions } from './recovery-options.ts';

/** How a suite says what is needed to read recovery from a trace. */
export interface RecoveryParameters {
  readonly effects: Readonly<Record<string, 'read' | 'write'>>;
  readonly verify: readonly string[];
  readonly alternates: readonly string[];
  readonly escalations: readonly string[];
  readonly compensations: readonly string[];
  readonly goal: readonly string[];
  readonly idempotencyKeys: readonly string[];
  readonly control?: readonly { readonly tool: string; readonly arguments?: Json | undefined }[] | undefined;
  /** Tool calls of a faulted run. `unlimited` is a choice that must be made in so many letters. */
  readonly budget?: BudgetBound | 'unlimited' | undefined;
  readonly message: MessagePatterns;
}

const names = z.array(z.string().min(1)).default([]);

const pattern = z
  .string()
  .min(1)
  .refine((text) => isPattern(text), 'expected a regular expression')
  .optional();

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'iu') !== undefined;
  } catch {
    return false;
  }
}

const message: z.ZodType<MessagePatterns> = z
  .strictObject({
    done: pattern.describe('Says that it was done.'),
    notDone: pattern.describe('Says that it was not done.'),
    attempt: pattern.describe('Names what was attempted.'),
    state: pattern.describe('Names the state in which things are now.'),
    action: pattern.describe('Names what a person has to do, or that nothing is to be done.'),
    effect: pattern.describe('Names an effect that still stands.'),
  })
  .meta({ id: 'MessagePatterns', description: 'What final messages say, as regular expressions.' });

/** Keys of every assertion about recovery. */
export const recoveryKeys: Readonly<{ [Key in keyof RecoveryParameters]-?: z.ZodType<RecoveryParameters[Key]> }> = {
  effects: z
    .record(z.string(), z.enum(['read', 'write']))
    .default({})
    .describe('What each tool does to the world. One that nobody tells of counts as a write.'),
  verify: names.describe('Reads that show whether a write took place.'),
  alternates: names.describe('Tools that reach the same goal in another way.'),
  escalations: names.describe('Tools that hand the matter to a person.'),
  compensations: names.describe('Tools that undo an effect.'),
  goal: names.describe('Tools whose effects are the goal. Default: the faulted tool, where it writes.'),
  idempotencyKeys: z
    .array(z.string().min(1))
    .default(['idempotency_key', 'idempotencyKey'])
    .describe('Arguments that make a second call harmless.'),
  control: z
    .array(
      z.strictObject({
        tool: z.string().min(1).describe('Name of the tool.'),
        arguments: (z.json() as z.ZodType<Json>).optional().describe('Its arguments; without them any match.'),
      }),
    )
    .optional()
    .describe('Tool calls of an unfaulted run of the same task, in order: what they make too is no reaction.'),
  budget: z
    .union([budgetBound, z.literal('unlimited')])
    .optional()
    .describe('Tool calls that a faulted run may make. Unlimited only where it says so.'),
  message: message.default({}).describe('What final messages say, where the English words do not do.'),
};

export function recoveryOptions(parameters: RecoveryParameters): RecoveryOptions {
  const { budget, control, ...rest } = parameters;
  return { ...rest, control, budget: budget === undefined || budget === 'unlimited' ? null : budget.max };
}
