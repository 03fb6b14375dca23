import type { InputReading, SourceKind } from '../../trace/trace-set.ts';
import type { Collected, TrialIds } from '../trial/trial-evidence.ts';

/** What came over a channel. */
export interface ChannelReading extends Collected {
  /** What was read, with what could not be read in it. */
  readonly inputs: readonly InputReading[];
}

/** Where the traces of one trial arrive. */
export interface TrialChannel {
  /** For a target in a process of its own: where to send its spans. */
  readonly env: Readonly<Record<string, string>>;
  /** Collect when the target has been closed, since only its end makes the channel whole; else before. */
  readonly afterClose: boolean;
  /** Waits as long as the source needs to be whole, or until the signal. */
  collect(signal: AbortSignal): Promise<ChannelReading>;
  close(): Promise<void>;
}

/** Where the traces of a run come from. */
export interface EvidenceSource {
  readonly kind: SourceKind;
  /** Without credentials. */
  readonly address: string;
  open(ids: TrialIds): Promise<TrialChannel>;
  close(): Promise<void>;
}
