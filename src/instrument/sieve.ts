import type { Attributes, Link, SpanStatus } from '@opentelemetry/api';
import type { Mode } from './content-mode.ts';
import type { TimedEvent } from './sdk-shapes.ts';
import type { Tally } from './tally.ts';

/** The parts of a copied span that can hold content. They may be changed in place: nobody else has seen them. */
export interface PassingParts {
  name: string;
  readonly attributes: Attributes;
  status: SpanStatus;
  readonly events: TimedEvent[];
  readonly links: Link[];
}

/** What one mode lets pass, place by place. It may throw: then nothing of the span passes but ids and times. */
export interface Sieve {
  readonly mode: Mode;
  /** A copy with what may leave. */
  attributes(from: Attributes, tally: Tally): Attributes;
  /** What of a span's name may leave; `attributes` are those of the copy. */
  spanName(name: string, tally: Tally, attributes: Attributes): string;
  eventName(name: string, tally: Tally): string;
  /** Name or version of a scope. */
  scopeName(name: string, tally: Tally): string;
  status(status: SpanStatus, tally: Tally): SpanStatus;
  /** A last look at the whole. */
  fit(parts: PassingParts, tally: Tally): void;
}
