import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { toolCalled } from '../../assertions/tool-called.ts';
import { toolSucceeded } from '../../assertions/tool-succeeded.ts';
import { readRuns } from '../../src/agent/run-reader.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import type { Assertion } from '../../src/verdict/assertion.ts';
import { worstStatus } from '../../src/verdict/conclude.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';

// Captures of real frameworks with the truth beside them: where something is false, no set-up may be green.
const folder = join(sharedCases ?? '', 'captures');
const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

interface Capture {
  readonly name: string;
  readonly truth: {
    readonly toolCalls: readonly { readonly name: string; readonly outcome: string }[];
    readonly spans: { readonly traces: readonly { readonly roots: unknown[]; readonly orphans: unknown[] }[] };
  };
  readonly files: readonly string[];
}

function captures(): readonly Capture[] {
  if (sharedCases === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.truth.json'))
    .sort()
    .map((path) => {
      const base = join(folder, path.replace(/\.truth\.json$/, ''));
      const files = [`${base}.otlp.json`, `${base}.otlp.jsonl`, `${base}.other-signals.otlp.jsonl`].filter(existsSync);
      return {
        name: path.replace(/\.truth\.json$/, ''),
        truth: JSON.parse(readFileSync(join(folder, path), 'utf8')),
        files,
      };
    })
    .filter(({ files }) => files.some((file) => !file.includes('other-signals')));
}

function collected({ files }: Capture): readonly CollectedTrace[] {
  const texts = files.map((file) => readFileSync(file, 'utf8').trim());
  const batches = texts
    .flatMap((text, i) => (files[i]?.endsWith('.jsonl') ? text.split('\n') : [text]))
    .map((text) => decodeOtlpJson(text));
  const traces = buildTraces(
    batches.flatMap(({ spans }) => spans),
    batches.flatMap(({ logs }) => logs),
  );
  return [...traces.values()].map((trace) => ({ trace, facts, completeness: completenessOf(trace, facts) }));
}

function judge<Parameters>(
  assertion: Assertion<Parameters>,
  parameters: unknown,
  traces: readonly CollectedTrace[],
): Verdict['status'] {
  const source = { kind: 'file', acceptsSettled: false, beforeDeadline: false } as const;
  const verdicts = readRuns(traces).map((run) => {
    const own = traces.filter(({ trace }) => run.traces.includes(trace));
    const view = { run, traces: own, source, remoteRoot: false, digest: () => null, unselected: [] };
    return assertion.evaluate(view, assertion.parameters.parse(parameters));
  });
  return worstStatus(verdicts.map(({ status }) => status));
}

describe.skipIf(sharedCases === undefined)(`captures (${withoutSharedCases} otherwise)`, () => {
  const read = captures().map((capture) => ({ ...capture, traces: collected(capture) }));

  /** Names of captures that are green where it is false, and red where it is true. */
  function wrong(
    holds: (capture: Capture) => boolean,
    verdictOn: (traces: readonly CollectedTrace[]) => Verdict['status'],
  ) {
    const judged = read.map((capture) => ({
      name: capture.name,
      holds: holds(capture),
      status: verdictOn(capture.traces),
    }));
    return {
      green: judged.filter((one) => !one.holds && one.status === 'passed').map(({ name }) => name),
      red: judged.filter((one) => one.holds && one.status === 'failed').map(({ name }) => name),
      decided: judged.filter(({ status }) => status !== 'inconclusive').length / judged.length,
    };
  }

  test('"issue_refund at most once"', () => {
    const refunds = ({ truth }: Capture) => truth.toolCalls.filter(({ name }) => name === 'issue_refund').length;
    const parameters = { match: { tool: 'issue_refund' }, expect: { atMost: 1 } };
    const { green, red, decided } = wrong(
      (capture) => refunds(capture) <= 1,
      (traces) => judge(toolCalled, parameters, traces),
    );
    expect({ green, red }).toEqual({ green: [], red: [] });
    expect(decided).toBeGreaterThan(0.8);
  });

  test('"no tool failed"', () => {
    const failures = ['threw', 'soft-error', 'timeout-applied'];
    const { green, red, decided } = wrong(
      ({ truth }) => !truth.toolCalls.some(({ outcome }) => failures.includes(outcome)),
      (traces) => judge(toolSucceeded, {}, traces),
    );
    // A call that a person refused stands in this trace as a span with ERROR and error.type.
    expect({ green, red: red.filter((name) => name !== 'py-google-adk-2.13.0/s5-approval-reject') }).toEqual({
      green: [],
      red: [],
    });
    expect(decided).toBeGreaterThan(0.75);
  });

  test('a trace that hangs together is called joined', () => {
    const { red } = wrong(
      ({ truth: { spans } }) =>
        spans.traces.length === 1 &&
        spans.traces.every(({ roots, orphans }) => roots.length === 1 && orphans.length === 0),
      (traces) => judge(executionTraceJoined, {}, traces),
    );
    expect(red).toEqual([]);
  });
});
