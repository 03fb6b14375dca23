import type { Collector } from '../src/trace/trace-set.ts';
import { HttpSource } from './http/http-source.ts';
import { remoteCollector } from './polling/remote-collector.ts';
import type { RemoteOptions } from './polling/remote-options.ts';
import { searchTempo, type TempoQuery, tempoSearchLagMs } from './tempo/tempo-search.ts';
import { TempoTraceReader } from './tempo/trace-reader.ts';

export interface TempoOptions extends RemoteOptions, TempoQuery {}

/**
 * Traces of Grafana Tempo, directly or through Grafana's data-source proxy
 * (`https://grafana.example/api/datasources/proxy/uid/UID`).
 *
 * Failures: `OTEL_EVAL_AUTH`, `OTEL_EVAL_BAD_QUERY`, `OTEL_EVAL_WRONG_SERVER`, `OTEL_EVAL_USAGE` at once;
 * `OTEL_EVAL_UNAVAILABLE` after the deadline, when all traces that did come have been handed over.
 *
 * @example
 * const collector = tempoCollector({ url: 'http://127.0.0.1:3200', traceIds: ['5b8efff798038103d269b633813fc60c'] });
 */
export function tempoCollector(options: TempoOptions): Collector {
  const server = new HttpSource(options, 'X-Scope-OrgID');
  const reader = new TempoTraceReader(server);
  return remoteCollector(options, {
    kind: 'tempo',
    server,
    read: (traceId, until) => reader.read(traceId, until),
    search: (until) => searchTempo(server, options, until),
    searchLagMs: tempoSearchLagMs,
  });
}
