const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of `500ms`, `30s`, `2m`, `1h` or `1.5s`; `undefined` for anything else.
 *
 * @example
 * parseDuration('30s'); // 30000
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const factor = unitsMs[unit ?? ''];
  return amount === undefined || factor === undefined ? undefined : Math.round(Number(amount) * factor);
}
