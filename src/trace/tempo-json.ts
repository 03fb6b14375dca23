import type { SourceFacts } from './completeness.ts';
import { decodeOtlpObject } from './otlp-json.ts';
import { type DecodeOptions, type OtlpBatch, OtlpReading } from './otlp-reading.ts';

export interface TempoAnswer {
  readonly batch: OtlpBatch;
  /** What Tempo says of the trace as a whole; absent where it says that this is all of it. */
  readonly serverSays?: NonNullable<SourceFacts['serverSays']>;
}

/**
 * Reads an answer of Tempo, parsed: v1 (`{ batches }`) or v2 (`{ trace, status?, message? }`). An answer without a trace
 * is `not-found`. Integers beyond 2^53 must be `bigint` in it.
 *
 * @example
 * decodeTempoObject(parseExactJson('{"trace":{},"metrics":{}}')).serverSays; // 'not-found'
 */
export function decodeTempoObject(
  document: Readonly<Record<string, unknown>>,
  options: DecodeOptions = {},
): TempoAnswer {
  if (!('trace' in document)) return { batch: decodeOtlpObject(document, options) };
  const { trace, status, message } = document;
  const isEmpty = typeof trace !== 'object' || trace === null || Object.keys(trace).length === 0;
  if (isEmpty) return { batch: new OtlpReading(options), serverSays: 'not-found' };
  const serverSays = tempoStatus(status, message);
  const batch = decodeOtlpObject(trace, options);
  return serverSays === undefined ? { batch } : { batch, serverSays };
}

/** What `status` and `message` of a v2 answer mean; a message may tell of pruning even where the status is complete. */
export function tempoStatus(status: unknown, message: unknown): NonNullable<SourceFacts['serverSays']> | undefined {
  const text = typeof message === 'string' ? message : '';
  if (/\bprun(ed|ing)\b/i.test(text)) return 'pruned';
  if (status !== 'PARTIAL' && status !== 1) return undefined;
  return /maximum size|max(imum)? trace size|too large/i.test(text) ? 'too-large' : 'partial';
}
