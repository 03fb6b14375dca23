import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { ownAttributes } from '../../src/trace/own-attributes.ts';
import type { SpanQuery } from '../../src/trace/span-query.ts';
import { jsonOf } from '../http/answer.ts';
import type { HttpSource } from '../http/http-source.ts';
import type { FoundTraces } from '../polling/finding.ts';
import { shortTraceId } from '../polling/requested-trace-id.ts';
import { type Hit, searchWindow, windowOf } from '../polling/search-window.ts';
import type { Until } from '../polling/until.ts';
import { conversationAttributes, type WantedTraces } from '../polling/wanted-traces.ts';
import { compileSpanQuery } from './compile-span-query.ts';
import { rawTraceQl, TraceQl } from './trace-ql.ts';

/** How long a stock Tempo may hide a trace from search after its last span: 5 s idle, 5 s until it looks, 30 s cutoff. */
export const tempoSearchLagMs = 45_000;

/** Far below what servers allow (262,144), so that one answer stays small. */
const pageLimit = 500;

const dayMs = 86_400_000;

/** Finds ids of traces; nothing else that a Tempo search says is to be relied on. */
export async function searchTempo(
  server: HttpSource,
  wanted: WantedTraces & TempoQuery,
  until: Until,
): Promise<FoundTraces> {
  const { limit } = wanted;
  const q = traceQlFor(wanted);
  return searchWindow({
    ...windowOf(wanted, server.clock.unixMs()),
    ...(limit === undefined ? {} : { limit }),
    pageLimit: limit === undefined ? pageLimit : Math.min(pageLimit, limit + 1),
    longestMs: dayMs,
    shortestMs: 1_000,
    hits: (since, end, hits) => searchOnce(server, { q, since, end, hits }, until),
  });
}

/** Two ways to say which spans a trace must have. */
export interface TempoQuery {
  /** Raw TraceQL; sent as it is. */
  readonly traceQl?: string;
  /** Some span of the trace matches. */
  readonly spanQuery?: SpanQuery;
}

/**
 * The query for what is wanted. Only one condition goes to the server: it sees one fragment of a trace at a time, so that
 * two conditions on different spans can miss. The others are looked at when the trace has been read.
 */
export function traceQlFor(wanted: WantedTraces & TempoQuery): string {
  const { runId, conversationId, service, traceQl, spanQuery } = wanted;
  if (traceQl !== undefined) return rawTraceQl(traceQl);
  if (runId !== undefined) return TraceQl.query(anywhere([ownAttributes.runId], runId));
  if (conversationId !== undefined) return TraceQl.query(anywhere(conversationAttributes, conversationId));
  const query = spanQuery === undefined ? undefined : compileSpanQuery(spanQuery);
  if (query !== undefined) return TraceQl.query(query);
  return TraceQl.query(service === undefined ? undefined : TraceQl.attribute('resource', 'service.name', service));
}

function anywhere(names: readonly string[], value: string): TraceQl {
  return TraceQl.any(
    names.flatMap((name) => [TraceQl.attribute('span', name, value), TraceQl.attribute('resource', name, value)]),
  );
}

async function searchOnce(
  server: HttpSource,
  { q, since, end, hits }: { readonly q: string; readonly since: number; readonly end: number; readonly hits: number },
  until: Until,
): Promise<readonly Hit[]> {
  const parameters = new URLSearchParams({
    q,
    start: String(Math.floor(since / 1_000)),
    end: String(Math.max(Math.ceil(end / 1_000), Math.floor(since / 1_000) + 1)),
    limit: String(hits),
    spss: '1',
  });
  const answer = await server.ask({ path: '/api/search', parameters, accept: 'application/json' }, until);
  const traces = answer.status === 200 ? (jsonOf(answer)?.['traces'] ?? []) : undefined;
  if (!Array.isArray(traces) || jsonOf(answer) === undefined) {
    throw notSearch(server, `HTTP ${answer.status} of type ${answer.contentType || 'none'}`);
  }
  return traces.map((hit: { readonly traceID?: unknown; readonly startTimeUnixNano?: unknown } | null) => {
    const traceId = shortTraceId(hit?.traceID);
    if (traceId === undefined) throw notSearch(server, 'a hit without a trace id');
    return { traceId, startUnixMs: millisecondsOf(hit?.startTimeUnixNano) };
  });
}

function notSearch({ address: { shown } }: HttpSource, got: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${shown}: expected the search of Tempo, got ${got}`, {
    source: shown,
    hint: 'Give trace ids with --trace-id where the server has no search.',
  });
}

function millisecondsOf(nanoseconds: unknown): number {
  const text = String(nanoseconds);
  return /^\d{7,25}$/.test(text) ? Number(text.slice(0, -6)) : 0;
}
