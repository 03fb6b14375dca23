import type { Collector, SourceKind } from '../../src/trace/trace-set.ts';
import type { HttpSource } from '../http/http-source.ts';
import { type FoundTraces, findTraces } from './finding.ts';
import type { Polling } from './poll-trace.ts';
import { defaultSettleMs } from './quiet-watch.ts';
import { RemoteCollection, type RemoteSource } from './remote-collection.ts';
import type { RemoteOptions } from './remote-options.ts';
import { requestedTraceId } from './requested-trace-id.ts';
import type { Until } from './until.ts';
import { isWanted } from './wanted-traces.ts';

/** What tells one kind of server from another. */
export interface RemoteKind {
  readonly kind: SourceKind;
  readonly server: HttpSource;
  readonly read: Polling['read'];
  readonly search: (until: Until) => Promise<FoundTraces>;
  /** How long after its last span a trace may be invisible to search. */
  readonly searchLagMs: number;
}

/** A collector that asks a server, for the ids it was given or for those that a search finds. */
export function remoteCollector(options: RemoteOptions, kind: RemoteKind): Collector {
  const { server } = kind;
  const traceIds = [...new Set((options.traceIds ?? []).map(requestedTraceId))];
  const closing = new AbortController();
  const remote: RemoteSource = {
    kind: kind.kind,
    address: server.address.shown,
    polling: { ...options, read: kind.read, clock: server.clock, random: options.random ?? Math.random },
    concurrency: server.concurrency,
    early: options.early ?? false,
    onProgress: options.onProgress,
    deadlineMs: options.deadlineMs ?? (traceIds.length > 0 ? 60_000 : 120_000),
    find: traceIds.length > 0 ? () => [{ traceIds, notes: [] }] : finder(options, kind),
    wants: (each) => traceIds.length > 0 || isWanted(each, options),
  };
  return {
    async collect(signal) {
      const either = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
      return new RemoteCollection(remote, either);
    },
    async close() {
      closing.abort();
      await server.close();
    },
  };
}

function finder(options: RemoteOptions, { server, search, searchLagMs }: RemoteKind): RemoteSource['find'] {
  const { clock } = server;
  const untilUnixMs = options.untilUnixMs ?? Number.POSITIVE_INFINITY;
  return (until, soFar, count) =>
    findTraces(
      {
        search: async (end) => {
          const found = await search(end);
          count.found(0);
          return found;
        },
        clock,
        closed: untilUnixMs + searchLagMs <= clock.unixMs(),
        awaited: options.runId !== undefined || options.conversationId !== undefined,
        lagMs: searchLagMs,
        settleMs: options.settleMs ?? defaultSettleMs,
      },
      soFar,
      until,
    );
}
