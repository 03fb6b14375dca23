import type { InputProblem } from '../../src/trace/trace-set.ts';

const codes: ReadonlySet<string> = new Set([
  'bad-trace-id',
  'bad-span-id',
  'bad-parent-span-id',
  'bad-span',
  'bad-trace',
]);

/** Rows that were not taken because they have no readable id, each with the first problem that says so. */
export function lostRowsOf(problems: readonly InputProblem[]): Map<string, InputProblem> {
  const rows = new Map<string, InputProblem>();
  for (const problem of problems) {
    if (!codes.has(problem.code) || /(?:links|references)\[/.test(problem.at)) continue;
    const row = /^.*?(?:spans|logRecords|log_records)\[\d+\]/.exec(problem.at)?.[0] ?? problem.at;
    if (!rows.has(row)) rows.set(row, problem);
  }
  return rows;
}
