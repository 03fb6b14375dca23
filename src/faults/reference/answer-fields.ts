import type { PlanRow } from '../plan/fault-plan.ts';

/** The fields that a plan breaks, by tool: an answer without them could not be broken. */
export class AnswerFields {
  readonly #paths = new Map<string, readonly string[]>();

  constructor(rows: readonly PlanRow[]) {
    for (const { tool, fault, escalate } of rows.flatMap((row) => [row, ...row.also])) {
      for (const each of [fault, ...escalate]) {
        if (each.kind === 'malformed') this.#paths.set(tool, [...(this.#paths.get(tool) ?? []), each.field]);
      }
    }
  }

  /** The answer with those fields of its tool that it lacks. */
  in(tool: string, answer: Readonly<Record<string, unknown>>): unknown {
    let whole: unknown = answer;
    for (const path of this.#paths.get(tool) ?? []) whole = placed(whole, path.split('.'));
    return whole;
  }
}

/** `items.0.price` makes lists where a step is a number. */
function placed(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value ?? 'as it should be';
  if (/^\d{1,3}$/.test(step) && (Array.isArray(value) || value === undefined)) {
    const list: unknown[] = [...(value ?? [])];
    const at = Number(step);
    while (list.length <= at) list.push({});
    list[at] = placed(list[at], rest);
    return list;
  }
  const holder = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...holder, [step]: placed(Object.hasOwn(holder, step) ? holder[step] : undefined, rest) };
}
