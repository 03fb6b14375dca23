import type { OtlpReading } from './otlp-reading.ts';

/** A trace id of Jaeger's JSON as 32 hex digits; `undefined` where unreadable (a problem names it). */
export function traceIdOf(reading: OtlpReading, value: unknown, field: string): string | undefined {
  return idOf(reading, value, { digits: 32, code: 'bad-trace-id', field });
}

/** A span id of Jaeger's JSON as 16 hex digits; `undefined` where unreadable (a problem names it). */
export function spanIdOf(reading: OtlpReading, value: unknown, field: string): string | undefined {
  return idOf(reading, value, { digits: 16, code: 'bad-span-id', field });
}

interface Expected {
  readonly digits: number;
  readonly code: string;
  readonly field: string;
}

/** Jaeger writes 16 digits where the upper half is zero, old servers no leading zeros at all; some tools no hex. */
function idOf(reading: OtlpReading, value: unknown, { digits, code, field }: Expected): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > 64) {
    const got = typeof value === 'string' ? `a text of ${value.length} characters` : 'none';
    reading.problem(code, `expected up to ${digits} hex digits, got ${got}`, field);
    return undefined;
  }
  if (!/^[0-9a-fA-F]+$/.test(value)) return value;
  const hex = value.toLowerCase().padStart(digits, '0');
  if (hex.length === digits && !/^0+$/.test(hex)) return hex;
  const got = hex.length === digits ? 'zeros only' : `${value.length}`;
  reading.problem(code, `expected up to ${digits} hex digits, got ${got}`, field);
  return undefined;
}
