import { describe, expect, test } from 'vitest';
import { readRuns } from '../../../src/agent/run-reader.ts';
import type { DrivenStep } from '../../../src/suite/trial/drive-target.ts';
import { overlapsOf } from '../../../src/suite/trial/independence.ts';
import { stepEvidence, trialEvidence } from '../../../src/suite/trial/trial-evidence.ts';
import { buildTraces } from '../../../src/trace/build-trace.ts';
import { completenessOf, type Expectations } from '../../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../../src/trace/otlp-json.ts';
import type { CollectedTrace } from '../../../src/trace/trace-set.ts';

const ids = { traceId: 'a'.repeat(32), runId: 'run-1', spanId: '1111111111111111' };
const steps: DrivenStep[] = ['2222222222222222', '3333333333333333'].map((spanId, at) => ({
  name: `step ${at + 1}`,
  conversation: 'main',
  spanId,
  state: 'answered',
  reply: undefined,
  startUnixMs: 1_000 + at * 100,
  endUnixMs: 1_090 + at * 100,
}));

interface Row {
  readonly trace?: string;
  readonly id: string;
  readonly parent?: string;
  readonly run?: string;
}

function collected(rows: readonly Row[]): CollectedTrace[] {
  const spans = rows.map(({ trace = ids.traceId, id, parent, run }) => ({
    traceId: trace,
    spanId: id.repeat(16),
    parentSpanId: parent,
    name: `span ${id}`,
    startTimeUnixNano: '1000000000',
    endTimeUnixNano: '1050000000',
    attributes: run === undefined ? [] : [{ key: 'otel_eval.run.id', value: { stringValue: run } }],
  }));
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };
  return [...buildTraces(decodeOtlpJson(text).spans).values()].map((trace) => ({
    trace,
    facts,
    completeness: completenessOf(trace, facts),
  }));
}

const evidence = (rows: readonly Row[], ownChannel = false, expected: Expectations = {}) =>
  trialEvidence(ids, steps, { traces: collected(rows), ownChannel }, expected);

describe('what is known to be of a trial', () => {
  test('its trace id, its run id, its own channel; the rest is a stray', () => {
    const rows: Row[] = [
      { id: 'b', parent: steps[0]!.spanId },
      { trace: 'c'.repeat(32), id: 'c', run: 'run-1' },
      { trace: 'd'.repeat(32), id: 'd', run: 'run-2' },
      { trace: 'e'.repeat(32), id: 'e' },
    ];
    const shared = evidence(rows);
    expect([shared.joins, shared.strays]).toEqual([['trace-context', 'run-id'], 2]);
    const own = evidence(rows, true);
    expect([own.joins, own.strays]).toEqual([['trace-context', 'run-id', 'channel', 'channel'], 0]);
  });

  test('one span called by a step: the trace as the target sent it, its parent is ours', () => {
    const { traces, remoteRoot } = evidence([
      { id: 'b', parent: steps[0]!.spanId },
      { id: 'c', parent: 'b'.repeat(16) },
    ]);
    expect([remoteRoot, traces[0]?.trace.spans.length, traces[0]?.completeness.state]).toEqual([true, 2, 'settled']);
  });

  test('several steps hang together by the spans of the harness', () => {
    const { traces, remoteRoot } = evidence([
      { id: 'b', parent: steps[0]!.spanId },
      { id: 'c', parent: steps[1]!.spanId },
    ]);
    const [whole] = traces;
    expect(remoteRoot).toBe(false);
    expect(whole?.trace.roots.map(({ name }) => name)).toEqual(['otel_eval trial']);
    expect([whole?.trace.spans.length, whole?.trace.orphans]).toEqual([5, []]);
    expect(whole?.completeness.reasons).not.toContain('no span carries a receipt');
    expect(readRuns(traces, { oneRun: true })).toHaveLength(1);
  });

  test('a parent that is nobody of ours is not repaired', () => {
    const { traces, remoteRoot } = evidence([
      { id: 'b', parent: '9'.repeat(16) },
      { id: 'c', parent: steps[0]!.spanId },
    ]);
    expect([remoteRoot, traces[0]?.trace.orphans.length, traces[0]?.completeness.state]).toEqual([false, 2, 'broken']);
  });

  test('a parent that the suite declares as absent stands beside ours', () => {
    const rows = [
      { id: 'b', parent: steps[0]!.spanId },
      { id: 'c', parent: '9'.repeat(16) },
    ];
    const { traces, remoteRoot } = evidence(rows, false, { absentParentOf: ['span c'] });
    expect([remoteRoot, traces[0]?.completeness.state]).toEqual([true, 'settled']);
    expect(evidence(rows, false, { absentParentOf: ['span d'] }).traces[0]?.completeness.state).toBe('broken');
  });

  test('a step sees what it made, and nothing else', () => {
    for (const rows of [
      [
        { id: 'b', parent: steps[0]!.spanId },
        { id: 'c', parent: 'b'.repeat(16) },
      ],
      [
        { id: 'b', parent: steps[0]!.spanId },
        { id: 'c', parent: 'b'.repeat(16) },
        { id: 'd', parent: steps[1]!.spanId },
      ],
    ]) {
      const found = evidence(rows);
      const first = stepEvidence(found, steps[0]!);
      expect(first?.trace.spans.map(({ name }) => name)).toEqual(['span b', 'span c']);
      expect(stepEvidence(found, steps[1]!)?.trace.spans.map(({ name }) => name)).toEqual(
        rows.length === 3 ? ['span d'] : undefined,
      );
    }
  });
});

test('trials that share a trace or a response are named, with the others', () => {
  const overlaps = overlapsOf([
    { key: 'a#1', traceIds: ['t1'], responseIds: ['r1', 'r2'] },
    { key: 'a#2', traceIds: ['t2'], responseIds: ['r2'] },
    { key: 'a#3', traceIds: ['t2', 't3'], responseIds: ['r3', 'r3'] },
  ]);
  expect([...overlaps]).toEqual([
    [
      'a#2',
      [
        { kind: 'trace', id: 't2', others: ['a#3'] },
        { kind: 'response', id: 'r2', others: ['a#1'] },
      ],
    ],
    ['a#3', [{ kind: 'trace', id: 't2', others: ['a#2'] }]],
    ['a#1', [{ kind: 'response', id: 'r2', others: ['a#2'] }]],
  ]);
});
