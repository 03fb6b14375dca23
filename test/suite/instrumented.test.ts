import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import { evaluate } from '../../src/evaluate.ts';

const inputs = resolve(import.meta.dirname, '../../fixtures/inputs');

/** Status of one assertion about the calls of a tool in a small input, and what is remarked beside it. */
async function judged(
  file: string,
  given: { tool: string; expect: object; traceId?: string; instrumented?: string[] },
) {
  const { tool, expect: count, traceId, instrumented = [] } = given;
  const assertions = [{ ToolCalled: { match: { tool }, expect: count } }];
  const suite = { schema: 'otel-eval/suite/v1' as const, scenarios: [{ name: 'one', assertions }] };
  const collector = otlpFileCollector({ inputs: [resolve(inputs, file)] });
  const report = await evaluate(suite, collector, { instrumented, traceIds: traceId === undefined ? [] : [traceId] });
  const [assertion] = report.scenarios[0]?.trials[0]?.assertions ?? [];
  return [assertion?.status, assertion?.remarks];
}

const word = ['the user vouches that "demo" makes a span for every model and tool call (--instrumented)'];
const demo = { instrumented: ['demo'] };

test('one call on two layers is exactly one, once the scope is vouched for', async () => {
  const file = 'dup-04-tool-and-mcp-layers.json';
  expect(await judged(file, { tool: 'lookup', expect: { exactly: 1 } })).toEqual(['inconclusive', []]);
  expect(await judged(file, { tool: 'lookup', expect: { exactly: 1 }, ...demo })).toEqual(['passed', word]);
  expect(await judged(file, { tool: 'lookup', expect: { exactly: 2 }, ...demo })).toEqual(['failed', word]);
});

test('a trace without the call is "never called", and the one beside it is not', async () => {
  const file = 'late-01-previous-test-leaks.json';
  const never = { tool: 'refund', expect: { none: true } };
  expect(await judged(file, { ...never, traceId: 'a1'.repeat(16) })).toEqual(['inconclusive', []]);
  expect(await judged(file, { ...never, traceId: 'a1'.repeat(16), ...demo })).toEqual(['passed', word]);
  expect(await judged(file, { ...never, traceId: 'b2'.repeat(16), ...demo })).toEqual(['failed', word]);
});

test('vouching for another scope decides nothing', async () => {
  const given = { tool: 'lookup', expect: { exactly: 1 }, instrumented: ['another'] };
  expect((await judged('dup-04-tool-and-mcp-layers.json', given))[0]).toBe('inconclusive');
});
