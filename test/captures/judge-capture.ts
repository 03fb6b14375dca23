import type { Run } from '../../src/agent/run.ts';
import { readRuns } from '../../src/agent/run-reader.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { Assertion } from '../../src/verdict/assertion.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { digest } from './capture.ts';

/** The verdict on the only run in these traces. */
export function judgeCapture<Parameters>(
  assertion: Assertion<Parameters>,
  parameters: unknown,
  traces: readonly CollectedTrace[],
): Verdict {
  const source = { kind: 'file', acceptsSettled: false, beforeDeadline: false } as const;
  const [run, ...others] = runsOf(traces);
  if (run === undefined || others.length > 0) throw new Error(`expected one run, got ${others.length + (run ? 1 : 0)}`);
  const view = { run, traces, source, remoteRoot: false, digest, unselected: [] };
  return assertion.evaluate(view, assertion.parameters.parse(parameters));
}

const read = new WeakMap<readonly CollectedTrace[], readonly Run[]>();

function runsOf(traces: readonly CollectedTrace[]): readonly Run[] {
  const runs = read.get(traces) ?? readRuns(traces);
  read.set(traces, runs);
  return runs;
}

/** Codes of a verdict's findings; empty where it passed. */
export function codesOf({ status, findings, missing }: Verdict): readonly string[] {
  if (status === 'passed') return [];
  return findings.length > 0
    ? findings.map(({ code }) => code)
    : missing.map(({ kind, message }) => `${kind}: ${message}`);
}
