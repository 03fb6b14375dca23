import { describe, expect, test } from 'vitest';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { facts, recordedCaptures, tracesOf, viewOfCapture } from './capture.ts';
import { compareRun } from './compare.ts';

const captures = recordedCaptures().map((capture) => ({ ...capture, view: viewOfCapture(capture) }));
/** Through our own instrumentation; those of Python come as their frameworks write them. */
const ours = captures.filter(({ framework }) => !framework.startsWith('python-'));

/** What a framework does not show, by mode: no more and no less. */
const notShown: Readonly<Record<string, readonly string[]>> = {
  'ai-sdk, metadata': ['arguments', 'usage, reasoning'],
  'ai-sdk, content': ['usage, reasoning'],
  'langgraph, metadata': ['arguments', 'call id'],
  'langgraph, content': [],
  'openai-agents, metadata': ['arguments', 'call id'],
  'openai-agents, content': [],
  'python-langgraph, metadata': ['arguments', 'attempt', 'call id', 'outcome'],
  'python-langgraph, content': [],
  'python-pydantic-ai, metadata': ['arguments', 'attempt', 'outcome'],
  'python-pydantic-ai, content': [],
};

test('every framework has every story in both modes', () => {
  const frameworks = ['ai-sdk', 'langgraph', 'openai-agents', 'python-langgraph', 'python-pydantic-ai'];
  expect(captures.map(({ framework, story, mode }) => `${framework} ${story} ${mode}`)).toEqual(
    frameworks.flatMap((framework) =>
      ['good', 'parallel', 'refunded-twice', 'retried', 'soft-error', 'timed-out'].flatMap((story) =>
        ['content', 'metadata'].map((mode) => `${framework} ${story} ${mode}`),
      ),
    ),
  );
});

describe.each(captures)('$framework, $story, $mode', ({ truth, view }) => {
  test('nothing is read wrong', () => {
    expect(view.runs).toHaveLength(1);
    expect(view.runs.flatMap((run) => compareRun(run, truth).wrong)).toEqual([]);
  });
});

test.each(Object.keys(notShown))('%s: what it does not show is known', (setUp) => {
  const own = captures.filter(({ framework, mode }) => `${framework}, ${mode}` === setUp);
  const unknown = own.flatMap(({ truth, view }) => view.runs.flatMap((run) => compareRun(run, truth).unknown));
  expect([...new Set(unknown)].sort()).toEqual(notShown[setUp]);
});

test.each(ours)(
  '$framework, $story, $mode: one trace, joined, proven by one receipt, a run of the agent',
  ({ view }) => {
    expect(
      view.traces.map(({ roots, orphans, completeness }) => [roots.length, orphans.length, completeness.state]),
    ).toEqual([[1, 0, 'proven']]);
    expect(view.runs.map(({ agent, boundary }) => [agent, boundary])).toEqual([['order-support', 'agent']]);
  },
);

test('two refunds are two, whatever became of the first', () => {
  const twice = captures.filter(({ truth }) => truth.effects.length === 2);
  expect(twice).toHaveLength(20);
  for (const { view } of twice) {
    const refunds = view.runs.flatMap(({ toolCalls }) => toolCalls.filter(({ name }) => name === 'issue_refund'));
    expect(refunds).toHaveLength(2);
  }
});

test.each(ours)('$framework, $story, $mode: whichever span is lost, the trace is short', (capture) => {
  const spans = tracesOf(capture).flatMap(({ trace }) => trace.spans);
  const states = spans.map((lost) => {
    const [trace] = buildTraces(
      spans.filter((span) => span !== lost),
      [],
    ).values();
    return trace === undefined ? 'none' : completenessOf(trace, facts).state;
  });
  // Without the root there is no receipt.
  expect(states.filter((state) => state !== 'short')).toEqual(['broken']);
});

test('the comparison sees a difference in each fact', () => {
  const [capture] = ours.filter(({ story, mode }) => story === 'timed-out' && mode === 'content');
  const [run] = capture?.view.runs ?? [];
  if (capture === undefined || run === undefined) throw new Error('no such capture');
  const { truth } = capture;
  const tools = (change: object) => ({ ...truth, toolCalls: truth.toolCalls.map((call) => ({ ...call, ...change })) });
  const wrong = (other: typeof truth) => new Set(compareRun(run, other).wrong.map((line) => line.split(':')[0]));
  expect([...wrong(truth)]).toEqual([]);
  expect([...wrong(tools({ outcome: 'threw' }))]).toEqual(['outcome']);
  expect([...wrong(tools({ attempt: 3 }))]).toEqual(['attempt']);
  expect([...wrong(tools({ name: 'other' }))]).toEqual(['tool name']);
  expect([...wrong(tools({ callId: 'other' }))]).toEqual(['call id']);
  expect([...wrong(tools({ arguments: {} }))]).toEqual(['arguments']);
  expect([...wrong(tools({ parallelGroup: 1 }))]).toEqual(['parallel calls']);
  expect([...wrong({ ...truth, toolCalls: truth.toolCalls.slice(1) })]).toContain('number of tool calls');
  expect([...wrong({ ...truth, modelCalls: truth.modelCalls.slice(1) })]).toContain('number of model calls');
  expect([...wrong({ ...truth, usage: { ...truth.usage, input: 1 } })]).toEqual(['usage, input']);
});
