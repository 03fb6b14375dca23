import { describe, expect, test } from 'vitest';
import { withinBudget } from '../../assertions/within-budget.ts';
import type { Run } from '../../src/agent/run.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type SpanSketch, type ViewOptions, viewOf } from '../view-builder.ts';
import { changed, orderStory, setAttributes } from './order-story.ts';

const source = 'pilot of 2026-11-20, 40 runs, p95';
const judge = (spans: readonly SpanSketch[], parameters: unknown, options?: ViewOptions): Verdict =>
  withinBudget.evaluate(viewOf(spans, options), withinBudget.parameters.parse(parameters) as never);
const told = ({ status, findings, missing }: Verdict) => [
  status,
  findings.map(({ observed }) => observed),
  missing.map(({ kind }) => kind),
];
const remote: ViewOptions = { kind: 'tempo', facts: { remote: true, ended: false } };

describe('the source of a bound', () => {
  test.each([
    'observed',
    'Observed',
    ' OBSERVED. ',
    'ob served',
    'observed!',
    'ｏｂｓｅｒｖｅｄ',
    'as observed',
    'observed in this run',
    'measured from the traces',
    'this run',
    'seen today',
  ])('%j is refused', (word) => {
    const issues = withinBudget.parameters.safeParse({ spans: { max: 1, source: word } }).error?.issues ?? [];
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      [
        'spans.source',
        'expected where the bound comes from (a pilot with date and number of runs, a requirement), got "observed"',
      ],
    ]);
  });

  test.each(['', '   '])('%j is refused', (word) => {
    const issues = withinBudget.parameters.safeParse({ spans: { max: 1, source: word } }).error?.issues ?? [];
    expect(issues.map(({ message }) => message)).toEqual(['expected where the bound comes from, got nothing']);
  });

  test('a sentence that holds the word is a source', () => {
    const sentence = 'observed in the pilot of 2026-11-20';
    expect(withinBudget.parameters.safeParse({ spans: { max: 1, source: sentence } }).success).toBe(true);
  });

  test.each([
    [{}],
    [{ spans: { max: -1, source } }],
    [{ spans: { max: 1.5, source } }],
    [{ spans: { max: 1 } }],
    [{ spans: 3 }],
  ])('%j is refused', (parameters) => {
    expect(withinBudget.parameters.safeParse(parameters).success).toBe(false);
  });

  test('0 is a bound', () => {
    expect(told(judge(orderStory(), { toolCalls: { max: 0, source } }))).toEqual(['failed', ['2 tool calls'], []]);
  });
});

describe('what decides', () => {
  test.each([
    [{ spans: { max: 7, source } }, ['inconclusive', [], ['completeness']]],
    [{ spans: { max: 6, source } }, ['failed', ['7 spans'], []]],
    [{ totalTokens: { max: 329, source } }, ['failed', ['330 tokens'], []]],
    [{ durationMs: { max: 499, source } }, ['failed', ['500 milliseconds'], []]],
  ])('a remote source without receipts: %j', (parameters, expected) => {
    expect(told(judge(orderStory(), parameters, remote))).toEqual(expected);
  });

  test('each bound speaks for itself', () => {
    const verdict = judge(orderStory(), {
      spans: { max: 6, source },
      modelCalls: { max: 3, source },
      steps: { max: 1, source },
    });
    expect(verdict.findings.map(({ observed }) => observed)).toEqual(['7 spans', '7 steps']);
  });

  test('usage that is not known of every call is a lower bound', () => {
    const spans = changed('6', (span) =>
      setAttributes(span, { 'gen_ai.usage.input_tokens': undefined, 'gen_ai.usage.output_tokens': undefined }),
    );
    expect(told(judge(spans, { inputTokens: { max: 199, source } }))).toEqual(['failed', ['200 input tokens'], []]);
    expect(told(judge(spans, { inputTokens: { max: 1000, source } }))).toEqual(['inconclusive', [], ['visibility']]);
  });

  test('one half of the tokens is no total', () => {
    const usage = { input: 300, output: null, cachedInput: null, reasoning: null, coverage: 'all' } as const;
    const options: ViewOptions = { run: { usage } };
    expect(told(judge(orderStory(), { totalTokens: { max: 1000, source } }, options))).toEqual([
      'inconclusive',
      [],
      ['visibility'],
    ]);
    expect(told(judge(orderStory(), { totalTokens: { max: 299, source } }, options))).toEqual([
      'failed',
      ['300 tokens'],
      [],
    ]);
    expect(told(judge(orderStory(), { inputTokens: { max: 300, source } }, options))).toEqual(['passed', [], []]);
  });

  test('a span that is not ended leaves the duration open, but not what has passed already', () => {
    const spans = changed('6', (span) => {
      span.end = null;
    });
    expect(told(judge(spans, { durationMs: { max: 900, source } }))).toEqual([
      'inconclusive',
      [],
      ['visibility', 'completeness'],
    ]);
    expect(told(judge(spans, { durationMs: { max: 400, source } }))).toEqual(['failed', ['500 milliseconds'], []]);
  });

  test('a span that stands for an unknown number of model calls leaves their number open', () => {
    const calls = viewOf(orderStory()).run.modelCalls.map(
      (call, i) =>
        new Proxy(call, { get: (target, key) => (key === 'calls' && i === 0 ? null : Reflect.get(target, key)) }),
    );
    const options: ViewOptions = { run: { modelCalls: calls } };
    expect(told(judge(orderStory(), { modelCalls: { max: 9, source } }, options))).toEqual([
      'inconclusive',
      [],
      ['visibility'],
    ]);
    expect(told(judge(orderStory(), { modelCalls: { max: 2, source } }, options))).toEqual([
      'failed',
      ['3 model calls'],
      [],
    ]);
  });

  test('attempts: a call without a name may have been one of any tool', () => {
    const view = viewOf(orderStory());
    const nameless = view.run.toolCalls.map(
      (call, i) =>
        new Proxy(call, { get: (target, key) => (key === 'name' && i === 0 ? null : Reflect.get(target, key)) }),
    );
    const visibility: Run['visibility'] = { ...view.run.visibility, toolNames: 'partly' };
    const verdict = judge(
      orderStory(),
      { toolAttempts: { max: 1, source } },
      { run: { toolCalls: nameless, visibility } },
    );
    expect(told(verdict)).toEqual(['inconclusive', [], ['visibility', 'visibility']]);
  });

  test('attempts of one tool only', () => {
    const parameters = (tool: string) => ({ toolAttempts: { max: 0, source, tool } });
    expect(told(judge(orderStory(), parameters('issue_refund')))).toEqual([
      'failed',
      ['1 attempt of "issue_refund"'],
      [],
    ]);
    expect(told(judge(orderStory(), parameters('escalate')))).toEqual(['passed', [], []]);
  });
});

test('a heap of traces: a sum over all of them is nobody’s', () => {
  const heap = orderStory().map((span) => ({
    ...span,
    trace: span.id === '5' ? 'b2' : 'a1',
    scope: 'x',
    attributes: {},
  }));
  expect(told(judge(heap, { spans: { max: 6, source } }))[0]).toBe('inconclusive');
  expect(judge(heap, { spans: { max: 6, source } }).missing.map(({ kind }) => kind)).toContain('boundary');
  expect(told(judge(heap, { spans: { max: 5, source } }))).toEqual(['failed', ['7 spans'], []]);
});
