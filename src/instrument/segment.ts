import type { Attributes } from '@opentelemetry/api';
import { hex32 } from '../trace/id-digest.ts';
import type { Spelling } from './attempts.ts';
import { EndedSpans, type Receipt } from './ended-spans.ts';

/** What one processor sees of one trace under one local root. Bounded in size, however long it lives. */
export class Segment {
  readonly traceId: string;
  /** Sampled spans that have ended. */
  readonly ended: EndedSpans = new EndedSpans();
  /** Sampled spans started and not ended. */
  open = 0;
  /** Sampled spans started: the next event index. */
  started = 0;
  rootEnded = false;
  /** State of the local root. */
  root: SpanState | undefined = undefined;
  /** False once a span of it may have gone uncounted: then it gives no receipt rather than a wrong one. */
  isCertain = true;
  /** Of the tool calls so far. */
  newestSpelling: Spelling | undefined = undefined;
  /** Its place among the open segments, kept by `OpenSegments`. */
  isListed = false;
  older: Segment | undefined = undefined;
  newer: Segment | undefined = undefined;
  /** The stamper of the processor that sees it. */
  readonly owner: object;
  private readonly processorId: string;
  private readonly ordinal: number;

  constructor(owner: object, processorId: string, ordinal: number, traceId: string) {
    this.owner = owner;
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

/** What becomes of a span that only few spans have. */
export class SpanEnd {
  /** Due at the end of the local root, and of every span that ends after it. */
  receipt: Receipt | undefined = undefined;
  /** Of a tool call: which operation of its segment, and which try of it. Both count from 1; 0 where it was not counted. */
  operation = 0;
  tries = 0;
  /** Facts of a tool call, shared by all outputs, once the first has looked. */
  toolFacts: Attributes | undefined = undefined;
}

/** What the processor knows of one span, from its start on. There is one for every span: each field costs. */
export class SpanState {
  readonly segment: Segment;
  /** Order of its start in the segment; -1 where it is not sampled. */
  readonly index: number;
  readonly run: RunIdentity | undefined;
  end: SpanEnd | undefined = undefined;
  /** It has ended and is counted. */
  isOver = false;
  /** What the outputs made of the span at its start: the last one's view, by which the others are found. */
  view: object | undefined = undefined;
  /** What another processor remembers of the same span. */
  before: SpanState | undefined = undefined;

  constructor(segment: Segment, sampled: boolean, run: RunIdentity | undefined) {
    this.segment = segment;
    this.index = sampled ? segment.started++ : -1;
    this.run = run;
    if (sampled) segment.open++;
  }

  get isSampled(): boolean {
    return this.index >= 0;
  }

  get isLocalRoot(): boolean {
    return this.segment.root === this;
  }
}
