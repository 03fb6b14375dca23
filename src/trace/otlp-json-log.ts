import type { AttributeMap } from './attributes.ts';
import type { LogRecord } from './log-record.ts';
import { readIdField, readText, readTime, readUint32 } from './otlp-json-field.ts';
import { isObject, kindOf, readAnyValue, readAttributes } from './otlp-json-value.ts';
import type { OtlpReading } from './otlp-reading.ts';
import type { Resource, Scope } from './span.ts';

/** One element of `logRecords`; `undefined` where an id in it cannot be read (a problem names it). */
export function readLogRecord(
  reading: OtlpReading,
  row: unknown,
  resource: Resource,
  scope: Scope,
): LogRecord | undefined {
  if (!isObject(row)) {
    reading.problem('bad-log-record', `expected an object, got ${kindOf(row)}`, '');
    return undefined;
  }
  const traceId = readIdField(reading, row['traceId'] ?? row['trace_id'], 16, 'traceId');
  const spanId = readIdField(reading, row['spanId'] ?? row['span_id'], 8, 'spanId');
  if (traceId === undefined || spanId === undefined) return undefined;
  const attributes = readAttributes(reading, row['attributes'], 'attributes');
  const observed = row['observedTimeUnixNano'] ?? row['observed_time_unix_nano'];
  const eventName = readText(reading, row['eventName'] ?? row['event_name'], 'eventName');
  return {
    traceId: reading.shared.share(traceId),
    spanId,
    timeUnixNano: readTime(reading, row['timeUnixNano'] ?? row['time_unix_nano'], 'timeUnixNano'),
    observedTimeUnixNano: readTime(reading, observed, 'observedTimeUnixNano'),
    eventName: reading.shared.share(eventName === '' ? eventNameOf(attributes) : eventName),
    severityNumber: readSeverity(reading, row['severityNumber'] ?? row['severity_number']),
    severityText: reading.shared.share(readText(reading, row['severityText'] ?? row['severity_text'], 'severityText')),
    body: readAnyValue(reading, row['body'], 'body', 0),
    attributes,
    resource,
    scope,
  };
}

/** Before records had a field for it, the name of an event stood in an attribute. */
export function eventNameOf(attributes: AttributeMap): string {
  const name = attributes.get('event.name');
  return typeof name === 'string' ? name : '';
}

const severities = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** `9`, `"9"`, `"SEVERITY_NUMBER_INFO"`, `"INFO2"`. */
function readSeverity(reading: OtlpReading, value: unknown): number {
  const named = typeof value === 'string' ? /^(?:SEVERITY_NUMBER_)?([A-Z]+)([234]?)$/.exec(value) : null;
  if (named === null) return readUint32(reading, value, 'severityNumber');
  const [, name = '', step] = named;
  if (name === 'UNSPECIFIED') return 0;
  const family = severities.indexOf(name);
  if (family >= 0) return family * 4 + (step ? Number(step) : 1);
  reading.problem('unknown-severity', 'expected a severity that OTLP knows; read as 0', 'severityNumber');
  return 0;
}
