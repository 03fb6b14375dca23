/** Design §5: the first that matches wins, in this order of rows. */
export type CompletenessState =
  | 'partial'
  | 'too-large'
  | 'pruned'
  | 'not-found'
  | 'short'
  | 'proven'
  | 'broken'
  | 'growing'
  | 'settled';

/** What the place a trace came from says of it. */
export interface SourceFacts {
  /** Tempo, Jaeger, a receiver, or a file in a form that only a backend writes: spans may be lost without a word. */
  readonly remote: boolean;
  /** No more spans can come: a closed file, a finished process. */
  readonly ended: boolean;
  /** Remote: the union of polls stayed the same long enough. */
  readonly quiet: boolean;
  readonly serverSays?: 'partial' | 'too-large' | 'pruned' | 'not-found';
  /** A line or body of the source was cut off, or rows in it have no readable ids: spans of this trace may be missing. */
  readonly cut: boolean;
  /** Named losses: `attribute gen_ai.input.messages of 0123… cut at 2048 bytes`, `times in microseconds`. */
  readonly losses: readonly string[];
}

export interface Completeness {
  readonly state: CompletenessState;
  /** Sentences without content. */
  readonly reasons: readonly string[];
  /** From receipts; `null` without one for every segment. */
  readonly expectedSpans: number | null;
}
