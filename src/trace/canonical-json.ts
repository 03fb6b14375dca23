/**
 * Canonical JSON (RFC 8785): keys in UTF-16 order, no white space, numbers as ECMAScript writes them. Takes JSON values,
 * also as `Map`; a `bigint` is written with all its digits. What JSON cannot hold (`undefined`, functions, NaN) is
 * written as `null`. Nesting beyond 1,000 levels throws a `RangeError`.
 *
 * @example
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > 1_000) throw new RangeError('canonicalJson: nested deeper than 1,000 levels');
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  const members = entries
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}
