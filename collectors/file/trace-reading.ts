import type { SourceFacts } from '../../src/trace/completeness.ts';
import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';

/** The forms that are read, as they are named in a report. */
export type TraceForm =
  | 'otlp-json'
  | 'otlp-yaml'
  | 'otlp-protobuf'
  | 'resource-spans-json'
  | 'tempo-v1-json'
  | 'tempo-v2-json'
  | 'tempo-v2-protobuf'
  | 'jaeger-json'
  | 'jaeger-v3-json';

/** What one document, line or message of an input held. */
export interface TraceReading {
  readonly form: TraceForm;
  readonly batch: OtlpBatch;
  /** Only a backend writes this form: spans may be missing without a word. */
  readonly remote: boolean;
  readonly serverSays?: NonNullable<SourceFacts['serverSays']>;
  /** Of every trace in it. */
  readonly losses: readonly string[];
}
