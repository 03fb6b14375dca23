import type { Report } from './report.ts';

/**
 * A report as `otel-eval/report/v1`: keys in the order of the schema, so that equal runs give equal bytes apart from
 * times.
 *
 * @example
 * await writeFile('report.json', formatJson(report));
 */
export function formatJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
