import type { Run, ToolCall } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';
import type { Tally } from './count.ts';

/** Counts trace by trace, and of what has no span of its own. */
export type Tallies = readonly [perTrace: readonly Tally[], loose: Tally];

/**
 * Counts calls trace by trace, for a heap of traces. The second part holds those that were read from messages: several
 * traces may repeat them, so they belong to no trace for sure.
 */
export function talliesByTrace(run: Run, certain: readonly ToolCall[], possible: readonly ToolCall[]): Tallies {
  const counts = new Map(run.traces.map(({ traceId }) => [traceId, { certain: 0, possible: 0 }]));
  const loose = { certain: 0, possible: 0 };
  for (const call of [...certain, ...possible]) (counts.get(call.spans[0]?.traceId ?? '') ?? loose).possible += 1;
  for (const call of certain) (counts.get(call.spans[0]?.traceId ?? '') ?? loose).certain += 1;
  return [[...counts.values()], loose];
}

/** Groups what spans tell of by the trace of its first span; `loose` has no span of its own. */
export function byTrace<Item extends { readonly spans: readonly Span[] }>(
  run: Run,
  items: readonly Item[],
): { readonly perTrace: readonly (readonly Item[])[]; readonly loose: readonly Item[] } {
  const groups = new Map<string, Item[]>(run.traces.map(({ traceId }) => [traceId, []]));
  const loose: Item[] = [];
  for (const item of items) (groups.get(item.spans[0]?.traceId ?? '') ?? loose).push(item);
  return { perTrace: [...groups.values()], loose };
}
