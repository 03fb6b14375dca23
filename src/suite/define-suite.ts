import type { SuiteDocument } from './suite-document.ts';

/**
 * A suite in TypeScript: the same data as in YAML, with types. The schema need not be named.
 *
 * @example
 * export default defineSuite({
 *   scenarios: [{ name: 'refunds a paid order', assertions: [{ ToolCalled: { match: { tool: 'issue_refund' } } }] }],
 * });
 */
export function defineSuite(
  suite: Omit<SuiteDocument, 'schema'> & Partial<Pick<SuiteDocument, 'schema'>>,
): SuiteDocument {
  return { schema: 'otel-eval/suite/v1', ...suite };
}
