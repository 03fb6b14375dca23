import { describe, expect, test } from 'vitest';
import { notLooping } from '../../assertions/not-looping.ts';
import { responseContains } from '../../assertions/response-contains.ts';
import { resultHeeded } from '../../assertions/result-heeded.ts';
import { toolCalled } from '../../assertions/tool-called.ts';
import { toolOrder } from '../../assertions/tool-order.ts';
import { toolSucceeded } from '../../assertions/tool-succeeded.ts';
import { withinBudget } from '../../assertions/within-budget.ts';
import { evaluateAssertion } from '../../src/suite/judge/evaluate-assertion.ts';
import { cutLoss } from '../../src/trace/cut-values.ts';
import type { Assertion } from '../../src/verdict/assertion.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { type SpanSketch, spanId, type ViewOptions, viewOf } from '../view-builder.ts';
import { orderStory, toolSpan } from './order-story.ts';

const settled: ViewOptions = {
  kind: 'tempo',
  acceptsSettled: true,
  facts: { remote: true, ended: false, quiet: true },
};
const most = 2_048;

/** What a stock Tempo makes of the spans, and what its collector says of that. */
function throughTempo(spans: readonly SpanSketch[]): { spans: SpanSketch[]; losses: string[] } {
  const losses: string[] = [];
  const cut = spans.map((span) => {
    const attributes = Object.entries(span.attributes ?? {}).map(([key, value]) => {
      if (typeof value !== 'string' || value.length <= most) return [key, value];
      losses.push(cutLoss('attribute', key, spanId(span.id)));
      return [key, value.slice(0, most)];
    });
    return { ...span, attributes: Object.fromEntries(attributes) as Record<string, unknown> };
  });
  return { spans: cut, losses };
}

function judge(assertion: Assertion, parameters: unknown, spans: readonly SpanSketch[], cut: boolean): Verdict {
  const stored = throughTempo(spans);
  const options = cut ? { ...settled, facts: { ...settled.facts, losses: stored.losses } } : settled;
  const view = viewOf(cut ? stored.spans : spans, options);
  const { verdict } = evaluateAssertion({ assertion, parameters: assertion.parameters.parse(parameters) }, view);
  if (verdict === undefined) throw new Error('an accident');
  return verdict;
}

const padding = 'x'.repeat(3_000);
/** Calls of `write`, one a turn, which messages do not tell of: what is cut on their spans is nowhere else. */
const writes = (...calls: { arguments?: object; result?: unknown; status?: 'error' }[]): SpanSketch[] => [
  ...orderStory(),
  ...calls.flatMap(({ status, ...call }, at): SpanSketch[] => {
    const start = 410 + 20 * at;
    const turn = orderStory().filter(({ id }) => id === '6');
    const span = { ...toolSpan(`a${at}`, start, { id: `w${at}`, name: 'write', ...call }), end: start + 5 };
    return [
      status === undefined ? span : { ...span, status },
      ...turn.map((chat) => ({ ...chat, id: `b${at}`, start: start + 10, end: start + 15 })),
    ];
  }),
];
const one = writes({ arguments: { padding, id: 7 }, result: { ok: true } });
const same = { padding, id: 7 };
const other = { padding, id: 8 };
const tool = 'write';
const bounded = (max: number) => ({ toolAttempts: { max, source: 'a pilot', per: 'operation' } });
const failing = writes({ arguments: { id: 7 }, result: { padding, isError: true } });
const twice = writes(
  { arguments: same, result: { done: 1 }, status: 'error' },
  { arguments: other, result: { done: 1 } },
);
const again = writes(...[1, 2, 3].map((turn) => ({ arguments: { id: 7 }, result: { padding, turn } })));
const stops = { tool, identity: ['id'], expect: { stops: true } };

describe('a call of which a server has cut arguments or result', () => {
  test.each<[string, Assertion, unknown, SpanSketch[], Verdict['status']]>([
    ['a part of the arguments', toolCalled, { match: { tool, arguments: { id: 7 } } }, one, 'passed'],
    ['another part', toolCalled, { match: { tool, arguments: { id: 8 } } }, one, 'failed'],
    ['none with such', toolCalled, { match: { tool, arguments: { id: 7 } }, expect: { none: true } }, one, 'failed'],
    ['none with others', toolCalled, { match: { tool, arguments: { id: 8 } }, expect: { none: true } }, one, 'passed'],
    ['all of them', toolCalled, { match: { tool, argumentsExactly: same } }, one, 'passed'],
    ['others in all', toolCalled, { match: { tool, argumentsExactly: other }, expect: { none: true } }, one, 'passed'],
    ['a form', toolCalled, { match: { tool, argumentsSchema: { required: ['id'] } } }, one, 'passed'],
    ['text as a form', toolCalled, { match: { tool, argumentsSchema: { type: 'string' } } }, one, 'failed'],
    ['an order', toolOrder, { mode: 'inOrder', calls: [{ tool, arguments: { id: 7 } }] }, one, 'passed'],
    ['a wrong order', toolOrder, { mode: 'inOrder', calls: [{ tool, arguments: { id: 8 } }] }, one, 'failed'],
    ['a failure behind the cut', toolSucceeded, { match: { tool } }, failing, 'failed'],
    ['a success', toolSucceeded, { match: { tool } }, writes({ result: { padding, ok: true } }), 'passed'],
    ['the last of each', toolSucceeded, { match: { tool }, expect: { attempts: 'last' } }, twice, 'failed'],
    ['tries of each', withinBudget, bounded(1), twice, 'passed'],
    ['a loop', notLooping, {}, again, 'passed'],
    ['after the failure', resultHeeded, stops, twice, 'passed'],
    ['the field', resultHeeded, { tool, expect: { corrects: ['id'] } }, twice, 'passed'],
  ])('%s: inconclusive, and the loss is named', (_, assertion, parameters, spans, whole) => {
    expect(judge(assertion, parameters, spans, false).status).toBe(whole);
    const verdict = judge(assertion, parameters, spans, true);
    expect([verdict.status, verdict.findings]).toEqual(['inconclusive', []]);
    const named = verdict.missing.filter(({ message }) =>
      message.includes(' cut at 2048 bytes, and what stood behind'),
    );
    expect(named.map(({ kind }) => kind)).toContain('content');
    expect(named[0]?.message).toMatch(/^attribute gen_ai\.tool\.call\.(arguments|result) of d0d0d0d0d0d0d0a0/);
  });

  test('what is not behind the cut is decided all the same', () => {
    const texts = writes({ arguments: { id: 7 }, result: padding });
    for (const [assertion, parameters, spans] of [
      [toolCalled, { match: { tool }, expect: { exactly: 1 } }, one],
      [toolCalled, { match: { tool: 'issue_refund', arguments: { amount: 40 } }, expect: { exactly: 1 } }, one],
      [toolSucceeded, { match: { tool } }, one],
      [toolCalled, { match: { tool, arguments: { id: 7 } }, expect: { exactly: 1 } }, texts],
    ] as const)
      expect(judge(assertion, parameters, spans, true).status).toBe('passed');
  });

  test('what the instrumentation stamped before decides', () => {
    const stamped = failing.map((span) =>
      span.id === 'a0' ? { ...span, attributes: { ...span.attributes, 'otel_eval.tool.result_failed': true } } : span,
    );
    expect(judge(toolSucceeded, { match: { tool } }, stamped, true).status).toBe('failed');
  });
});

describe('messages that a server has cut', () => {
  /** A loop without tool spans: what was called stands in the messages alone. */
  const spoken = (asked: string | undefined): SpanSketch[] => {
    const parts = [
      { type: 'text', content: padding },
      ...(asked === undefined ? [] : [{ type: 'tool_call', id: 'c9', name: asked, arguments: {} }]),
    ];
    const history = [
      { role: 'user', parts: [{ type: 'text', content: 'Go on.' }] },
      { role: 'assistant', parts },
    ];
    const answered = [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'c9', response: { ok: true } }] }];
    const chat = (id: string, start: number, input: object[], output: object[]): SpanSketch => ({
      id,
      parent: '1',
      name: 'chat m',
      scope: '@opentelemetry/instrumentation-openai',
      start,
      end: start + 9,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.input.messages': JSON.stringify(input),
        'gen_ai.output.messages': JSON.stringify(output),
      },
    });
    const end = { role: 'assistant', parts: [{ type: 'text', content: 'Done.' }] };
    return [
      { id: '1', name: 'invoke_agent a', end: 100, attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
      chat('2', 10, history.slice(0, 1), history.slice(1)),
      chat('3', 30, [...history, ...(asked === undefined ? [] : answered)], [end]),
    ];
  };

  test('a call that stands behind the cut is not called absent', () => {
    const none = { match: { tool: 'issue_refund' }, expect: { none: true } };
    expect(judge(toolCalled, none, spoken('issue_refund'), false).status).toBe('failed');
    expect(judge(toolCalled, none, spoken(undefined), false).status).toBe('passed');
    for (const asked of ['issue_refund', undefined]) {
      const { status, missing } = judge(toolCalled, none, spoken(asked), true);
      expect([
        status,
        missing.some(({ message }) => message.startsWith('attribute gen_ai.output.messages of ')),
      ]).toEqual(['inconclusive', true]);
    }
  });

  test('what is left of them is no answer', () => {
    const long = orderStory().map((span) =>
      span.id === '6'
        ? {
            ...span,
            attributes: {
              ...span.attributes,
              'gen_ai.output.messages': JSON.stringify([
                { role: 'assistant', parts: [{ type: 'text', content: `finish ${padding}` }] },
              ]),
            },
          }
        : span,
    );
    expect(judge(responseContains, { text: 'finish' }, long, false).status).toBe('passed');
    expect(judge(responseContains, { text: 'parts' }, long, false).status).toBe('failed');
    for (const text of ['finish', 'parts'])
      expect(judge(responseContains, { text }, long, true).status).toBe('inconclusive');
  });
});
