import type { Report } from '../../../src/report/report.ts';

/** A report without what no two runs share: ids, times, and the ports of receivers. */
export function comparable(report: Report): unknown {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    const known = ids.get(id) ?? `id ${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const text = JSON.stringify(report, (key, value: unknown) =>
    key === 'startedAt' || key === 'durationMs' || key === 'responseIds' ? undefined : value,
  );
  return JSON.parse(
    text
      .replace(/\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b/g, named)
      .replace(/parent [0-9a-f]{6}…/g, 'parent …')
      .replace(/127\.0\.0\.1:\d+/g, 'receiver'),
  );
}
