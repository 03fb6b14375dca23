const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** What a timer can wait for: about 24.8 days. A longer one would end at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Milliseconds of `500ms`, `30s`, `2m`, `1h` or `1.5s`; `undefined` for anything else.
 *
 * @example
 * parseDuration('30s'); // 30000
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const factor = unitsMs[unit ?? ''];
  if (amount === undefined || factor === undefined) return undefined;
  return Math.round(Number(amount) * factor);
}

/** The same of a time to wait; `undefined` also for more than 24 days. */
export function parseWait(text: string): number | undefined {
  const waitMs = parseDuration(text);
  return waitMs !== undefined && waitMs <= longestMs ? waitMs : undefined;
}

/** What is said of any other text. */
export const expectedWait = 'expected a duration such as 500ms, 30s or 2m, of at most 24 days';
