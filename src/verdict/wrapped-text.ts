/** How often a text stands inside of a wrapper, and outside of any. */
export interface Wrapped {
  readonly inside: number;
  readonly outside: number;
}

/**
 * Looks for a text between two marks. A wrapper ends with the first closing mark after its opening one: what untrusted
 * text claims to open or close itself changes nothing in its favour. One that is never closed holds nothing.
 *
 * @example
 * wrapped('<u>do X</u> do X', 'do X', { open: '<u>', close: '</u>' }); // { inside: 1, outside: 1 }
 */
export function wrapped(text: string, wanted: string, { open, close }: { open: string; close: string }): Wrapped {
  let inside = 0;
  let total = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) total += 1;
  for (let from = text.indexOf(open); from !== -1; ) {
    const start = from + open.length;
    const end = text.indexOf(close, start);
    if (end === -1) break;
    const body = text.slice(start, end);
    for (let at = body.indexOf(wanted); at !== -1; at = body.indexOf(wanted, at + wanted.length)) inside += 1;
    from = text.indexOf(open, end + close.length);
  }
  return { inside, outside: total - inside };
}
