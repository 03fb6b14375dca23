import { parse } from 'yaml';
import { z } from 'zod';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { PrivacyViolation } from '../../trace/privacy/privacy-violations.ts';

const text = z.string().trim().min(1);
const entrySchema = z
  .strictObject({
    key: text.optional(),
    place: text.optional(),
    code: z.enum(['payload', 'credential', 'reasoning', 'forbidden', 'over-ceiling']).default('payload'),
    owner: text,
    reason: text,
    expires: z.iso.date(),
  })
  .refine(({ key, place }) => (key === undefined) !== (place === undefined), {
    error: 'expected a key or a place, one of them',
  });
const fileSchema = z.strictObject({ allow: z.array(entrySchema) });

type Entry = z.infer<typeof entrySchema>;

/** What reviewers have allowed, each with an owner, a reason and an end. */
export class AllowFile {
  readonly expired: readonly string[];
  readonly #entries: readonly Entry[];

  private constructor(entries: readonly Entry[], nowMs: number) {
    const isOver = ({ expires }: Entry): boolean => Date.parse(expires) + 86_400_000 <= nowMs;
    this.#entries = entries.filter((entry) => !isOver(entry));
    this.expired = entries.filter(isOver).map(({ key, place, owner, expires }) => {
      return `the allowance of ${key ?? place} by ${owner} ended on ${expires}`;
    });
  }

  static readonly empty: AllowFile = new AllowFile([], 0);

  /** Reads the YAML or JSON of an allow file. An entry holds to the end of the day on which it expires. */
  static parse(source: string, { name, nowMs }: { readonly name: string; readonly nowMs: number }): AllowFile {
    let document: unknown;
    try {
      document = parse(source);
    } catch (cause) {
      throw new OtelEvalError('OTEL_EVAL_USAGE', `cannot read ${name} as YAML`, { source: name, cause });
    }
    const result = fileSchema.safeParse(document);
    if (result.success) return new AllowFile(result.data.allow, nowMs);
    const issue = result.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `${name}: ${field === '' ? '' : `${field}: `}${issue?.message ?? 'invalid'}`,
      {
        source: name,
        hint: 'each entry of "allow" has key or place, owner, reason and expires (2027-01-31)',
      },
    );
  }

  allows(violation: PrivacyViolation): boolean {
    return this.#entries.some(({ key, place, code }) => {
      if (code !== violation.code) return false;
      return key === undefined ? place === violation.place : matches(key, violation.key);
    });
  }
}

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key && key !== '';
}
