import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { readId } from '../../src/trace/otlp-id.ts';

/**
 * A trace id as someone typed or copied it, as 32 lower-case hex digits: any case, without its leading zeros (as Tempo's
 * search prints it), or base64 (as in Tempo's JSON).
 *
 * @example
 * requestedTraceId('7D269B633813FC60'); // '00000000000000007d269b633813fc60'
 */
export function requestedTraceId(text: string): string {
  const trimmed = text.trim();
  const read = shortTraceId(trimmed);
  if (read !== undefined) return read;
  const decimal = /^\d{33,}$/.test(trimmed) ? ' (all decimal: some tools print ids as one number)' : '';
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `expected a trace id of up to 32 hex digits, not all zero, got ${trimmed.length} characters${decimal}`,
    { source: '--trace-id' },
  );
}

/** The same of what a server says; `undefined` for anything else. */
export function shortTraceId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^[0-9a-fA-F]{1,32}$/.test(value) && /[^0]/.test(value)) return value.toLowerCase().padStart(32, '0');
  const read = value.length >= 22 ? readId(value, 16) : '';
  return typeof read === 'string' && read !== '' ? read : undefined;
}
