/**
 * Milliseconds that a `Retry-After` header asks to wait: seconds, or an HTTP date. 0 for none and for what cannot be read.
 *
 * @example
 * retryAfterMs('2', Date.now()); // 2000
 */
export function retryAfterMs(value: string | undefined, nowUnixMs: number): number {
  if (value === undefined) return 0;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowUnixMs);
}
