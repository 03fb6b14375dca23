import type { Collector } from '../src/trace/trace-set.ts';
import { HttpSource } from './http/http-source.ts';
import { jaegerSearchLagMs, searchJaeger } from './jaeger/jaeger-search.ts';
import { JaegerTraceReader } from './jaeger/trace-reader.ts';
import { remoteCollector } from './polling/remote-collector.ts';
import type { RemoteOptions } from './polling/remote-options.ts';

export interface JaegerOptions extends RemoteOptions {
  /** Header that carries the tenant; default `x-tenant`. */
  readonly tenantHeader?: string;
}

/**
 * Traces of Jaeger, over its v3 API, or v1 where the server is older. Failures as those of `tempo`. Loses what Jaeger
 * loses, and names it: over v1 times are in microseconds.
 *
 * @example
 * const collector = jaegerCollector({ url: 'http://127.0.0.1:16686', service: 'order-support' });
 */
export function jaegerCollector(options: JaegerOptions): Collector {
  const server = new HttpSource(options, options.tenantHeader ?? 'x-tenant');
  const reader = new JaegerTraceReader(server);
  return remoteCollector(options, {
    kind: 'jaeger',
    server,
    read: (traceId, until) => reader.read(traceId, until),
    search: (until) => searchJaeger(server, options, until),
    searchLagMs: jaegerSearchLagMs,
  });
}
