import type { Attributes, AttributeValue } from './attributes.ts';
import type { Resource, Scope } from './span.ts';

/** One log record. Several conventions put content, and some put findings, only here. */
export interface LogRecord {
  /** Empty where the record belongs to no trace. */
  readonly traceId: string;
  readonly spanId: string;
  readonly timeUnixNano: bigint;
  readonly observedTimeUnixNano: bigint;
  /** `eventName` of the record, else its `event.name` attribute, else empty. */
  readonly eventName: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: AttributeValue;
  readonly attributes: Attributes;
  readonly resource: Resource;
  readonly scope: Scope;
}
