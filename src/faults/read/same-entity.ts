import type { Json, ToolCall } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';

/**
 * Whether a read is about the thing that a write was about, by what both were given: arguments of one name that are
 * equal, or a value of one among those of the other, or all that was written in what the read gave. `unknown` where
 * none of these tells.
 */
export function isAboutSame(read: ToolCall, write: ToolCall): 'yes' | 'no' | 'unknown' {
  const [asked, wrote] = [read.arguments(), write.arguments()];
  if (asked === undefined || wrote === undefined) return 'unknown';
  const byName = named(asked).flatMap(([name, value]) => {
    const other = named(wrote).find(([own]) => own === name);
    return other === undefined ? [] : [canonicalJson(other[1]) === canonicalJson(value)];
  });
  if (byName.length > 0) return byName.every((same) => same) ? 'yes' : byName.includes(true) ? 'unknown' : 'no';
  const values = leaves(wrote, 0);
  if (leaves(asked, 0).some((value) => values.includes(value))) return 'yes';
  const given = new Set(leaves(read.result(), 0));
  return values.length > 0 && values.every((value) => given.has(value)) ? 'yes' : 'unknown';
}

function named(value: Json): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

const deepest = 6;

/** Texts and numbers; a word of two letters or a digit stands anywhere. */
function leaves(value: Json | undefined, depth: number): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return String(value).length > 2 ? [String(value)] : [];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((each) => leaves(each as Json, depth + 1));
}
