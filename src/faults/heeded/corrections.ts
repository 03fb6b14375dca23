import type { Json, ToolCall } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import { fieldsNamedBy } from '../read/error-code.ts';
import { failedCalls, type HeededResult, isAboutTheSame, mayHaveSeen, valueAt } from './failed-calls.ts';

/** What came after one failed call. */
export interface Correction {
  readonly failed: ToolCall;
  /** The next call of the tool; `undefined` where there is none. */
  readonly next: ToolCall | undefined;
  readonly fields: readonly string[];
  /** One of the fields has another value now. */
  readonly changed: boolean;
  /** Top-level fields that changed besides. */
  readonly others: number;
}

export interface CorrectionsFound {
  readonly occasions: number;
  readonly corrections: readonly Correction[];
  /** Why some occasion cannot be judged; `null` where all can. */
  readonly open: string | null;
}

/**
 * Compares each failed call with the next one of its tool: an agent that reads the error changes the field that it names, one
 * that does not asks its model for all of them anew.
 */
export function correctionsOf(
  calls: readonly ToolCall[],
  given: HeededResult & { readonly corrects: 'named' | readonly string[] },
): CorrectionsFound {
  const failed = failedCalls(calls, given);
  const corrections: Correction[] = [];
  let open: string | null = null;
  for (const call of failed) {
    const fields = given.corrects === 'named' ? fieldsNamedBy(call) : given.corrects;
    const found = fields.length === 0 ? 'no field is named by the error' : correctionOf(call, calls, fields, given);
    if (typeof found === 'string') open ??= found;
    else corrections.push(found);
  }
  return { occasions: failed.length, corrections, open };
}

function correctionOf(
  failed: ToolCall,
  calls: readonly ToolCall[],
  fields: readonly string[],
  { tool, identity }: HeededResult,
): Correction | string {
  const later = calls.filter((call) => call.name === tool && mayHaveSeen(call, failed, calls));
  const next = later.find((call) => isAboutTheSame(failed, call, identity) !== false);
  if (next === undefined) return { failed, next, fields, changed: false, others: 0 };
  const [before, after] = [failed.arguments(), next.arguments()];
  if (before === undefined || after === undefined) return 'the arguments of a call are not in the trace';
  const differs = (path: string): boolean =>
    canonicalJson(valueAt(before, path)) !== canonicalJson(valueAt(after, path));
  return { failed, next, fields, changed: fields.some(differs), others: othersChanged(before, after, fields) };
}

/** Without the named fields both must be the same. */
function othersChanged(before: Json, after: Json, fields: readonly string[]): number {
  const [first, second] = [without(before, fields), without(after, fields)];
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...keys].filter((key) => canonicalJson(first[key]) !== canonicalJson(second[key])).length;
}

function without(value: Json, fields: readonly string[]): Readonly<Record<string, Json | undefined>> {
  const copy = structuredClone(value) as Json;
  for (const path of fields) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    const holder = steps.length === 0 ? copy : valueAt(copy, steps.join('.'));
    if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, Json>)[last];
  }
  return typeof copy === 'object' && copy !== null ? (copy as Record<string, Json>) : { value: copy };
}
