import { z } from 'zod';
import { faultKinds } from './fault-kind.ts';

/** A fault as a plan has it. Seconds are virtual: no fault costs real time. */
export type FaultDocument =
  | { readonly kind: 'error'; readonly type?: string | undefined; readonly message?: string | undefined }
  | { readonly kind: 'timeout' | 'timeout_but_applied' | 'latency'; readonly seconds: number }
  | { readonly kind: 'http_503' }
  | { readonly kind: 'http_429'; readonly retryAfterSeconds: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed'; readonly field: string; readonly as: 'missing' | 'null' | 'wrong_type' }
  | { readonly kind: 'partial'; readonly ok: number; readonly rejected: number }
  | { readonly kind: 'stale_read' };

const seconds = z.number().positive().max(86_400);
const defaultSeconds = 30;

const forms = [
  z.strictObject({
    kind: z.literal('error'),
    type: z.string().min(1).optional().describe('Class of the error. Default: ToolError.'),
    message: z.string().optional().describe('What the model reads. Default: the tool failed.'),
  }),
  z.strictObject({
    kind: z.literal('timeout').describe('No answer, and nothing was done.'),
    seconds: seconds.default(defaultSeconds),
  }),
  z.strictObject({
    kind: z.literal('timeout_but_applied').describe('No answer, although the call was carried out.'),
    seconds: seconds.default(defaultSeconds),
  }),
  z.strictObject({ kind: z.literal('latency').describe('A good answer, late.'), seconds: seconds.default(10) }),
  z.strictObject({ kind: z.literal('http_503').describe('Service unavailable.') }),
  z.strictObject({
    kind: z.literal('http_429').describe('Too many requests.'),
    retryAfterSeconds: seconds.default(20),
  }),
  z.strictObject({ kind: z.literal('empty').describe('A good answer with zero rows.') }),
  z.strictObject({
    kind: z.literal('malformed').describe('A good answer with one field broken.'),
    field: z.string().min(1).describe('Path of the field, as items.0.price.'),
    as: z.enum(['missing', 'null', 'wrong_type']).default('missing'),
  }),
  z.strictObject({
    kind: z.literal('partial').describe('Some items accepted, the others rejected.'),
    ok: z.int().positive(),
    rejected: z.int().positive(),
  }),
  z.strictObject({ kind: z.literal('stale_read').describe('What a read gave before the last write.') }),
] as const;

const withOptions = z.discriminatedUnion('kind', forms, { error: unknownKind }) as unknown as z.ZodType<FaultDocument>;

function unknownKind(issue: { readonly code?: string; readonly input?: unknown }): string | undefined {
  const kind = (issue.input as { readonly kind?: unknown } | null | undefined)?.kind;
  if (issue.code !== 'invalid_union') return undefined;
  return `expected one of ${faultKinds.join(', ')}, got ${typeof kind === 'string' ? `"${kind.slice(0, 80)}"` : 'none of them'}`;
}

/** Faults that need no options can be written as their name alone. */
export const faultSchema: z.ZodType<FaultDocument> = z
  .preprocess((value) => (typeof value === 'string' ? { kind: value } : value), withOptions)
  .describe('What goes wrong: a name, or kind with options.');
