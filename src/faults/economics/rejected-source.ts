import type { Json, ToolCall } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { errorCodeOf } from '../read/error-code.ts';

/**
 * Where a realistic bad call comes from. `ui_vs_enum`: as people read it, not as the schema spells it. `entity_id`: a name that is
 * several ids, or an id of another kind. `quantity_format`: a number as people write it. `domain_precondition`: well-formed, and
 * the thing is in no state for it, which no schema can say.
 */
export type RejectedSource = 'ui_vs_enum' | 'entity_id' | 'quantity_format' | 'domain_precondition';

export const rejectedSources: readonly RejectedSource[] = [
  'ui_vs_enum',
  'entity_id',
  'quantity_format',
  'domain_precondition',
];

/**
 * Tells the source of a rejected call by what made it right in the end, else by the code of its error; `undefined` where
 * neither tells.
 *
 * @param corrected - the next call of the tool in the same run that succeeded
 */
export function rejectedSource(failed: ToolCall, corrected: ToolCall | undefined): RejectedSource | undefined {
  return byCorrection(failed.arguments(), corrected?.arguments()) ?? byCode(errorCodeOf(failed));
}

function byCorrection(before: Json | undefined, after: Json | undefined): RejectedSource | undefined {
  if (before === undefined || after === undefined) return undefined;
  // The same call is right now: something else has changed.
  if (canonicalJson(before) === canonicalJson(after)) return 'domain_precondition';
  return changedLeaves(before, after, 0)
    .map(([was, is]) => ofChange(was, is))
    .find((source) => source !== undefined);
}

function ofChange(was: Json | undefined, is: Json | undefined): RejectedSource | undefined {
  if (isQuantity(was, is)) return 'quantity_format';
  if (typeof was !== 'string' || typeof is !== 'string') return undefined;
  if (folded(was) === folded(is)) return 'ui_vs_enum';
  return isId(is) ? 'entity_id' : undefined;
}

/** `In Progress` and `in_progress` are one. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function isQuantity(was: Json | undefined, is: Json | undefined): boolean {
  if (typeof was !== 'string' && typeof is !== 'string') return false;
  const [first, second] = [numberIn(was), numberIn(is)];
  return first !== undefined && first === second && !isId(String(is));
}

/** `1,200.50 EUR`, `40 dollars`; a text with more than one number in it is none. */
function numberIn(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const [only, more] = value.match(/\d[\d,' ]*(?:\.\d+)?/g) ?? [];
  return only === undefined || more !== undefined ? undefined : Number(only.replace(/[,' ]/g, ''));
}

/** `T-8841`, `cus_9x1`, a UUID. */
function isId(text: string): boolean {
  return /^(?=.*\d)[A-Za-z][\w-]*[-_:][\w:-]+$|^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(text);
}

const codes: readonly (readonly [RejectedSource, RegExp])[] = [
  ['domain_precondition', /precondition|conflict|already|not_allowed|locked|closed|insufficient|state|^409$|^412$/i],
  ['ui_vs_enum', /enum|choice|option/i],
  ['entity_id', /ambiguous|multiple|not_?unique|namespace|not_?found|unknown_(?:id|entity)|^404$/i],
  ['quantity_format', /quantity|amount|number|unit|currency/i],
];

function byCode(code: string | undefined): RejectedSource | undefined {
  return code === undefined ? undefined : codes.find(([, pattern]) => pattern.test(code))?.[0];
}

type Leaf = readonly [was: Json | undefined, is: Json | undefined];

function changedLeaves(was: Json | undefined, is: Json | undefined, depth: number): readonly Leaf[] {
  if (isObject(was) && isObject(is) && depth < 8) {
    const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return keys.flatMap((key) => changedLeaves(was[key], is[key], depth + 1));
  }
  return canonicalJson(was) === canonicalJson(is) ? [] : [[was, is]];
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}
