/** A matcher of a test runner, as `expect.stringContaining('ORD-')`, in the place of a value. */
export interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean;
}

export function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}
