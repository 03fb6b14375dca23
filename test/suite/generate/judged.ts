import { assertions } from '../../../assertions/index.ts';
import { readRuns } from '../../../src/agent/run-reader.ts';
import { type GeneratedSuite, generateSuite } from '../../../src/suite/generate/generate-suite.ts';
import { Judge } from '../../../src/suite/judge/judge.ts';
import type { Suite } from '../../../src/suite/suite.ts';
import { buildTraces } from '../../../src/trace/build-trace.ts';
import { completenessOf } from '../../../src/trace/completeness-of.ts';
import type { LogRecord } from '../../../src/trace/log-record.ts';
import type { Span } from '../../../src/trace/span.ts';
import type { CollectedTrace, Collection } from '../../../src/trace/trace-set.ts';
import type { Verdict } from '../../../src/verdict/verdict.ts';

export type VerdictStatus = Verdict['status'];

const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

/** Rows as a file holds them. */
export function tracesOf(spans: readonly Span[], logs: readonly LogRecord[]): CollectedTrace[] {
  return [...buildTraces(spans, logs).values()].map((trace) => ({
    trace,
    facts,
    completeness: completenessOf(trace, facts),
  }));
}

export function generated(traces: readonly CollectedTrace[], oneRun: boolean): GeneratedSuite {
  const recorded = readRuns(traces, { oneRun }).map((run) => ({
    run,
    traces: traces.filter(({ trace }) => run.traces.includes(trace)),
  }));
  return generateSuite(recorded, { kind: 'file', acceptsSettled: false, oneRun, instrumented: [], registry });
}

/** The worst verdict of a suite on traces; what judged nothing is inconclusive. */
export async function judged(suite: Suite, traces: readonly CollectedTrace[]): Promise<VerdictStatus> {
  const collection: Collection = {
    source: { kind: 'file', address: 'test' },
    async *groups() {
      yield traces;
    },
    inputs: () => [],
    looseLogs: () => [],
  };
  const judge = new Judge(suite.scenarios, { acceptsSettled: false, oneRun: false, traceIds: [], digest: () => null });
  const statuses = new Map<string, VerdictStatus[]>(suite.scenarios.map(({ name }) => [name, []]));
  for await (const { scenario, outcomes } of judge.trials(collection)) {
    for (const { verdict, accident } of outcomes) {
      if (verdict === undefined) throw accident;
      statuses.get(scenario.name)?.push(verdict.status);
    }
  }
  const all = [...statuses.values()].flatMap((found) => (found.length === 0 ? ['inconclusive' as const] : found));
  if (all.includes('failed')) return 'failed';
  return all.includes('inconclusive') ? 'inconclusive' : 'passed';
}

export { registry };
