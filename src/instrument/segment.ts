import type { Attributes } from '@opentelemetry/api';
import { hex32, IdDigest } from '../trace/id-digest.ts';
import type { Attempt, Attempts } from './attempts.ts';

/** What one processor sees of one trace under one local root. Bounded in size, however long it lives. */
export class Segment {
  readonly traceId: string;
  /** Sampled spans that have ended. */
  readonly ended: IdDigest = new IdDigest();
  /** Sampled spans started and not ended. */
  open = 0;
  /** Sampled spans started: the next event index. */
  started = 0;
  rootEnded = false;
  /** State of the local root. */
  root: SpanState | undefined = undefined;
  /** False once a span of it may have gone uncounted: then it gives no receipt rather than a wrong one. */
  isCertain = true;
  /** Tool calls counted so far; `undefined` before the first. */
  attempts: Attempts | undefined = undefined;
  private readonly processorId: string;
  private readonly ordinal: number;

  constructor(processorId: string, ordinal: number, traceId: string) {
    this.processorId = processorId;
    this.ordinal = ordinal;
    this.traceId = traceId;
  }

  /** Nothing is open and the root has ended. */
  get isAtRest(): boolean {
    return this.rootEnded && this.open === 0;
  }

  /** 16 hex digits. */
  get id(): string {
    return this.processorId + hex32(this.ordinal);
  }
}

/** Who set the run, and which. */
export interface RunIdentity {
  readonly runId: string;
  readonly conversationId?: string | undefined;
}

/** What a segment's receipt says at one moment. */
export interface Receipt {
  readonly spans: number;
  readonly open: number;
  readonly digest: string;
}

/** What becomes of a span that only few spans have. */
export interface SpanEnd {
  /** Due at the end of the local root, and of every span that ends after it. */
  receipt?: Receipt;
  /** Of a tool call. */
  attempt?: Attempt;
  /** Facts of a tool call, shared by all outputs, once the first has looked. */
  toolFacts?: Attributes;
}

/** What the processor knows of one span, from its start on. */
export class SpanState {
  readonly segment: Segment;
  readonly index: number;
  readonly localRoot: boolean;
  readonly sampled: boolean;
  readonly run: RunIdentity | undefined;
  end: SpanEnd | undefined = undefined;
  /** It has ended and is counted. */
  isOver = false;
  /** What the first output made of the span at its start; of the further ones by their number. */
  view: object | undefined = undefined;
  views: Map<number, object> | undefined = undefined;

  constructor(segment: Segment, sampled: boolean, localRoot: boolean, run: RunIdentity | undefined) {
    this.segment = segment;
    this.index = sampled ? segment.started++ : 0;
    this.sampled = sampled;
    this.localRoot = localRoot;
    this.run = run;
    if (sampled) segment.open++;
  }
}
