import type { LogRecord } from '../../src/trace/log-record.ts';
import { sameAttributes, sameSpan, sameValue } from '../../src/trace/same-span.ts';
import type { Span } from '../../src/trace/span.ts';

/** Positions where two lists of spans differ. */
export function differing(a: readonly Span[], b: readonly Span[]): number[] {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, i) => i).filter((i) => {
    const [first, second] = [a[i], b[i]];
    return first === undefined || second === undefined || !sameSpan(first, second);
  });
}

/** The same for log records. */
export function differingLogs(a: readonly LogRecord[], b: readonly LogRecord[]): number[] {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, i) => i).filter((i) => {
    const [first, second] = [a[i], b[i]];
    return first === undefined || second === undefined || !sameRecord(first, second);
  });
}

function sameRecord(a: LogRecord, b: LogRecord): boolean {
  const scalars = [
    'traceId',
    'spanId',
    'timeUnixNano',
    'observedTimeUnixNano',
    'eventName',
    'severityNumber',
    'severityText',
  ] as const;
  return (
    scalars.every((name) => a[name] === b[name]) &&
    sameValue(a.body, b.body) &&
    sameAttributes(a.attributes, b.attributes) &&
    sameAttributes(a.resource.attributes, b.resource.attributes) &&
    a.resource.droppedAttributesCount === b.resource.droppedAttributesCount &&
    a.scope.name === b.scope.name &&
    a.scope.version === b.scope.version &&
    sameAttributes(a.scope.attributes, b.scope.attributes)
  );
}
