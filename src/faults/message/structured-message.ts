import { z } from 'zod';
import type { MessageFact } from '../recovery/faulted-run.ts';

const schema = z.looseObject({
  attempted: z.string(),
  state: z.enum(['done', 'not_done', 'unknown']),
  action_needed: z.union([z.boolean(), z.string()]),
  effects: z.array(z.string()).optional(),
  error: z.string().optional(),
  count: z.int().optional(),
});

/** A final message in fields: nothing of it has to be guessed from words. `undefined` where it is text. */
export function readStructuredMessage(text: string): MessageFact | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = schema.safeParse(data);
  if (!read.success) return undefined;
  const { attempted, state, effects = [], error, count } = read.data;
  return {
    claim: state === 'unknown' ? 'uncertain' : state,
    onlyDenies: state === 'not_done',
    claimedCount: count ?? null,
    claimsError: error !== undefined,
    namesAttempt: attempted !== '',
    namesState: true,
    namesAction: true,
    namesEffectsOf: effects,
    disclosesFault: error !== undefined,
  };
}
