import { shortTraceId } from '../polling/requested-trace-id.ts';
import type { Hit } from '../polling/search-window.ts';
import { type JsonObject, notJaeger, v3Results } from './jaeger-answers.ts';

/** Ids and starts in the answer to a v3 search: all traces come in one result, not one per trace. */
export function hitsOfV3(text: string, source: string): Hit[] {
  const starts = new Map<string, number>();
  for (const result of v3Results(text, source)) {
    const groups = list(result['resourceSpans']).flatMap((group) => list(group['scopeSpans']));
    for (const span of groups.flatMap((group) => list(group['spans']))) {
      const traceId = idOf(span['traceId'], source);
      const startUnixMs = Number(String(span['startTimeUnixNano']).slice(0, -6)) || 0;
      starts.set(traceId, Math.min(startUnixMs, starts.get(traceId) ?? Number.POSITIVE_INFINITY));
    }
  }
  return [...starts].map(([traceId, startUnixMs]) => ({ traceId, startUnixMs }));
}

/** Ids and starts in the answer to a v1 search. */
export function hitsOfV1(data: unknown, source: string): Hit[] {
  if (data !== null && !Array.isArray(data)) throw notJaeger(source, 'JSON without data');
  return list(data).map((trace) => {
    const starts = list(trace['spans']).map((span) => Number(span['startTime']) / 1_000);
    return { traceId: idOf(trace['traceID'], source), startUnixMs: Math.min(...starts.filter(Number.isFinite)) };
  });
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

function idOf(value: unknown, source: string): string {
  const traceId = shortTraceId(value);
  if (traceId === undefined) throw notJaeger(source, 'a search result without trace ids');
  return traceId;
}
