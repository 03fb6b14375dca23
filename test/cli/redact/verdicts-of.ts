import { assertions } from '../../../assertions/index.ts';
import { readRuns } from '../../../src/agent/run-reader.ts';
import { evaluateAssertion } from '../../../src/suite/judge/evaluate-assertion.ts';
import type { CollectedTrace } from '../../../src/trace/trace-set.ts';

const tools = ['lookup_order', 'issue_refund', 'escalate_to_human', 'no_such_tool'];

const rules: readonly (readonly [string, unknown])[] = [
  ['ExecutionTraceJoined', {}],
  ['NoHumanInput', {}],
  ['HandedOff', {}],
  ['SpansMatch', { match: {}, expect: { every: { status: { not: 'error' } } } }],
  ['ResponseContains', { text: 'refund' }],
  ['WithinBudget', { toolAttempts: { max: 2, source: 'test' } }],
  ['WithinBudget', { toolAttempts: { max: 1, per: 'operation', source: 'test' } }],
  ['WithinBudget', { modelCalls: { max: 3, source: 'test' } }],
  ['WithinBudget', { totalTokens: { max: 500, source: 'test' } }],
  ...tools.flatMap((tool): [string, unknown][] => [
    ['ToolCalled', { match: { tool }, expect: { atLeast: 1 } }],
    ['ToolCalled', { match: { tool }, expect: { exactly: 1 } }],
    ['ToolCalled', { match: { tool }, expect: { none: true } }],
    ['ToolCalled', { match: { tool, arguments: { order_id: 'ORD-1001' } }, expect: { atLeast: 1 } }],
    ['ToolSucceeded', { match: { tool } }],
    ['ToolSucceeded', { match: { tool }, evidence: 'status' }],
    ['ToolSucceeded', { match: { tool }, expect: { attempts: 'last' } }],
  ]),
];

const uses = rules.flatMap(([name, parameters]) => {
  const assertion = assertions.find(({ id }) => id === name);
  const parsed = assertion?.parameters.safeParse(parameters);
  if (assertion === undefined || parsed?.success !== true)
    throw new Error(`no such use: ${name} ${JSON.stringify(parameters)}`);
  return [{ label: `${name} ${JSON.stringify(parameters)}`, use: { assertion, parameters: parsed.data } }];
});

/** Status of each rule on each run. */
export function verdictsOf(traces: readonly CollectedTrace[]): string[] {
  return readRuns(traces).flatMap((run) =>
    uses.map(({ label, use }) => {
      const own = traces.filter(({ trace }) => run.traces.includes(trace));
      const source = { kind: 'file', acceptsSettled: true, beforeDeadline: false } as const;
      const view = { run, traces: own, source, remoteRoot: false, digest: () => null, unselected: [] };
      return `${label} ${evaluateAssertion(use, view).verdict?.status ?? 'accident'}`;
    }),
  );
}
