/** A code as programs write it; words of people are content and are none. */
export function isErrorType(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,60}$/.test(value);
}
