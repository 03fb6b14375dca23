import { setMaxListeners } from 'node:events';
import type { CollectedTrace, Collection, InputReading, SourceKind } from '../../src/trace/trace-set.ts';
import { Deadline } from './deadline.ts';
import type { FoundTraces, ReadSoFar } from './finding.ts';
import { LateRuns } from './late-runs.ts';
import { type PolledTrace, type Polling, pollTrace } from './poll-trace.ts';
import { PollingWindow } from './polling-window.ts';
import { RemoteCount, type RemoteProgress } from './remote-progress.ts';
import { RemoteReadings } from './remote-readings.ts';
import type { Until } from './until.ts';

export interface RemoteSource {
  readonly kind: SourceKind;
  readonly address: string;
  readonly polling: Polling;
  readonly concurrency: number;
  readonly early: boolean;
  readonly onProgress?: ((progress: RemoteProgress) => void) | undefined;
  /** For the whole check: finding, waiting, reading. */
  readonly deadlineMs: number;
  /** Ids as they are found; asked for more when what it gave has been read. */
  find(until: Until, soFar: () => ReadSoFar, count: RemoteCount): AsyncIterable<FoundTraces> | Iterable<FoundTraces>;
  /** False drops a trace that was found and read: it is not one that was asked for. */
  wants(trace: CollectedTrace): boolean;
}

/** Traces of a server, each as soon as it is known to be whole or is waited for no longer. */
export class RemoteCollection implements Collection {
  readonly source: Collection['source'];
  readonly #remote: RemoteSource;
  readonly #readings: RemoteReadings;
  readonly #signal: AbortSignal;

  constructor(remote: RemoteSource, signal: AbortSignal) {
    this.source = { kind: remote.kind, address: remote.address };
    this.#remote = remote;
    this.#readings = new RemoteReadings(remote.address);
    this.#signal = signal;
  }

  async *groups(): AsyncGenerator<readonly CollectedTrace[]> {
    const { polling, concurrency, deadlineMs, onProgress } = this.#remote;
    const count = new RemoteCount(onProgress);
    const ending = new AbortController();
    // Every request and every pause of every trace listens to it.
    setMaxListeners(0, ending.signal);
    const end = () => ending.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', end, { once: true });
    if (this.#signal.aborted) end();
    const until = { deadline: new Deadline(polling.clock, deadlineMs), signal: ending.signal };
    try {
      const window = new PollingWindow(polling, until, { concurrency, count });
      const late = new LateRuns<PolledTrace>(this.#remote.early);
      for await (const { traceIds, notes } of this.#remote.find(until, () => late, count)) {
        count.found(traceIds.length);
        for (const note of notes) this.#readings.note(`${this.source.kind}-search`, note);
        yield* this.#handedOver(window.poll(traceIds), late);
      }
      yield* late.wholeRuns((traceId) => pollTrace(traceId, polling, until));
      if (window.unavailable !== undefined) throw window.unavailable;
    } finally {
      ending.abort();
      this.#signal.removeEventListener('abort', end);
    }
  }

  async *#handedOver(
    polled: AsyncIterable<PolledTrace>,
    late: LateRuns<PolledTrace>,
  ): AsyncGenerator<readonly CollectedTrace[]> {
    for await (const each of polled) {
      if (!this.#remote.wants(each)) continue;
      this.#readings.add(each);
      if (!late.holds(each)) yield [each];
    }
  }

  inputs(): readonly InputReading[] {
    return this.#readings.all();
  }

  looseLogs(): readonly [] {
    return [];
  }
}
