import type { TrialReport } from '../report.ts';
import type { Waterfall } from './waterfall.ts';

/** What can be drawn from a report alone: the part of each trace that it keeps for a trial that did not pass. */
export function waterfallsOfReport({ traceIds, tree }: Pick<TrialReport, 'traceIds' | 'tree'>): readonly Waterfall[] {
  return traceIds.flatMap((traceId) => {
    const rows = tree.filter((row) => row.traceId === traceId).map((row) => ({ ...row, faults: [], facts: [] }));
    const spans = rows.filter(({ spanId }) => spanId !== null).length;
    return rows.length === 0 ? [] : [{ traceId, spans, rows }];
  });
}
