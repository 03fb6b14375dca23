import { assertions } from '../../assertions/index.ts';
import { type RunOptions, readRuns } from '../../src/agent/run-reader.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Span } from '../../src/trace/span.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';

/** An assertion by name, with its parameters as a suite has them. */
export type Rule = readonly [name: string, parameters: unknown];

const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

/** The verdicts of all rules over each run of the spans, in the order of the rules. */
export function judgeSpans(
  spans: readonly Span[],
  logs: readonly LogRecord[],
  rules: readonly Rule[],
  options: RunOptions = {},
): readonly Verdict[][] {
  const traces = [...buildTraces(spans, logs).values()].map((trace) => ({
    trace,
    facts,
    completeness: completenessOf(trace, facts),
  }));
  const source = { kind: 'file', acceptsSettled: false, beforeDeadline: false } as const;
  return readRuns(traces, options).map((run) =>
    rules.map(([name, parameters]) => {
      const assertion = assertions.find(({ id }) => id === name);
      if (assertion === undefined) throw new Error(`no assertion ${name}`);
      const own = traces.filter(({ trace }) => run.traces.includes(trace));
      const view = { run, traces: own, source, remoteRoot: false, digest: () => null, unselected: [] };
      return assertion.evaluate(view, assertion.parameters.parse(parameters));
    }),
  );
}

/** Failed before inconclusive before passed, as verdicts of several runs combine. */
export function combinedStatus(verdicts: readonly Verdict[]): Verdict['status'] {
  const statuses = verdicts.map(({ status }) => status);
  if (statuses.includes('failed')) return 'failed';
  return statuses.length === 0 || statuses.includes('inconclusive') ? 'inconclusive' : 'passed';
}
