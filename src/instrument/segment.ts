import { IdDigest } from '../trace/id-digest.ts';

/** What one processor sees of one trace under one local root. Constant in size, however long it lives. */
export class Segment {
  readonly id: string;
  readonly traceId: string;
  /** Sampled spans that have ended. */
  readonly ended: IdDigest = new IdDigest();
  /** Sampled spans started and not ended. */
  open = 0;
  /** Sampled spans started: the next event index. */
  started = 0;
  rootEnded = false;

  constructor(id: string, traceId: string) {
    this.id = id;
    this.traceId = traceId;
  }
}

/** Who set the run, and which. */
export interface RunIdentity {
  readonly runId: string;
  readonly conversationId?: string | undefined;
}

/** What the processor knows of one span from its start to its end. */
export interface SpanState {
  /** `undefined` for a span that is recorded and not sampled, with nothing sampled above it. */
  readonly segment: Segment;
  readonly index: number;
  readonly localRoot: boolean;
  readonly sampled: boolean;
  readonly run: RunIdentity | undefined;
}
