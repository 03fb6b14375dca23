import type { Expectations } from '../../src/trace/completeness-of.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { HttpOptions } from '../http/http-source.ts';
import type { RemoteProgress } from './remote-progress.ts';
import type { WantedTraces } from './wanted-traces.ts';

/** What every collector that asks a server takes. */
export interface RemoteOptions extends HttpOptions, WantedTraces {
  /** Traces to read; hex of any case, with or without leading zeros. Where given, nothing is searched for. */
  readonly traceIds?: readonly string[];
  /** How long to go on asking, for the whole check; default 60,000, with a search 120,000. */
  readonly deadlineMs?: number;
  /** How long a trace without receipts must stay the same; default 6,000. 0 takes the first answer that hangs together. */
  readonly settleMs?: number;
  /**
   * Hand each trace over as soon as it is ready, also where a later one may share its run id: then that run comes again at
   * the end, whole, and its first trace is marked `replaces`. Default: traces with a run id are held until all are read.
   */
  readonly early?: boolean;
  /** Told how far it has come, after every answer of the server. */
  readonly onProgress?: (progress: RemoteProgress) => void;
  /** What the suite declares of every trace. */
  readonly expectations?: Expectations;
  /** Told of a trace that may still grow; `true` ends the waiting for it: everything is decided. */
  readonly decided?: (traces: readonly CollectedTrace[]) => boolean;
}
