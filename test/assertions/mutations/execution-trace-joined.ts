import { executionTraceJoined } from '../../../assertions/execution-trace-joined.ts';
import { ownAttributes } from '../../../src/trace/own-attributes.ts';
import { type SpanSketch, spanId, traceId } from '../../view-builder.ts';
import { changed, orderStory, setAttributes, withMore, without } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';
import { projectionMutations } from './projections.ts';

const a1 = traceId('a1');
const oneRun = { runs: { oneRun: true } };

/** Every span stamped, as our instrumentation does, but without a receipt. */
function stamped(change: (span: SpanSketch) => void = () => {}): SpanSketch[] {
  const spans = orderStory().sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  for (const [index, span] of spans.entries()) {
    const own = {
      [ownAttributes.runId]: 'run-1',
      [ownAttributes.segment]: '00000000000000e1',
      [ownAttributes.eventIndex]: index,
      'gen_ai.conversation.id': 'conversation-1',
    };
    setAttributes(span, own);
    change(span);
  }
  return spans;
}

const stamp = (id: string, attributes: Record<string, unknown>) =>
  stamped((span) => {
    if (span.id === id) setAttributes(span, attributes);
  });

const late: SpanSketch = { id: '9', name: 'stream answer', trace: 'b2', start: 600 };
const two = { services: ['order-support', 'payments'] };

export const joinedMutations: MutationTable = {
  assertion: executionTraceJoined,
  mutations: [
    {
      what: 'a span in a trace of its own',
      parameters: {},
      after: withMore(late),
      options: oneRun,
      findings: [
        {
          code: 'several-traces',
          arguments: {
            traces: 2,
            tops: [`"invoke_agent order-support" (${a1})`, `"stream answer" (${traceId('b2')})`],
          },
          spans: ['9'],
        },
      ],
    },
    {
      what: 'a hop cut the trace id of one span',
      parameters: {},
      after: changed('5', (span) => {
        span.rawTraceId = a1.slice(16).padStart(32, '0');
      }),
      options: oneRun,
      findings: [
        {
          code: 'truncated-trace-id',
          arguments: { traceId: a1.slice(16).padStart(32, '0'), fullTraceId: a1, spans: 1 },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'a child carries another trace id',
      parameters: {},
      after: changed('5', (span) => {
        span.trace = 'b2';
      }),
      options: oneRun,
      findings: [
        {
          code: 'several-traces',
          arguments: {
            traces: 2,
            tops: [`"invoke_agent order-support" (${a1})`, `"execute_tool issue_refund" (${traceId('b2')})`],
          },
          spans: ['5'],
        },
        {
          code: 'child-in-other-trace',
          arguments: { name: '"execute_tool issue_refund"', traceId: traceId('b2'), parentTraceId: a1 },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'a span lost its parent id',
      parameters: {},
      after: changed('6', (span) => {
        delete span.parent;
      }),
      findings: [
        {
          code: 'several-roots',
          arguments: { roots: 2, first: '"invoke_agent order-support"', others: ['"chat scripted-1"'] },
          spans: ['6'],
        },
      ],
    },
    {
      what: 'the root is gone',
      parameters: {},
      after: without('1'),
      findings: [
        { code: 'no-root', arguments: { spans: 6 }, spans: [] },
        {
          code: 'orphan-span',
          arguments: {
            name: '"retrieval policies"',
            parentSpanId: spanId('1'),
            orphans: 6,
            spans: 6,
            remoteParent: false,
          },
          spans: ['7', '2', '3', '4', '5', '6'],
        },
      ],
    },
    {
      what: 'a span names a parent that is not there',
      parameters: {},
      after: changed('5', (span) => {
        span.parent = '5a';
      }),
      findings: [
        {
          code: 'orphan-span',
          arguments: {
            name: '"execute_tool issue_refund"',
            parentSpanId: spanId('5a'),
            orphans: 1,
            spans: 7,
            remoteParent: false,
          },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'the top span names a remote parent that nobody declared',
      parameters: {},
      after: changed('1', (span) => {
        span.parent = '4d';
        span.flags = 0x301;
      }),
      findings: [
        { code: 'no-root', arguments: { spans: 7 }, spans: [] },
        {
          code: 'orphan-span',
          arguments: {
            name: '"invoke_agent order-support"',
            parentSpanId: spanId('4d'),
            orphans: 1,
            spans: 7,
            remoteParent: true,
          },
          spans: ['1'],
        },
      ],
    },
    {
      what: 'a span is its own parent',
      parameters: {},
      after: changed('5', (span) => {
        span.parent = '5';
      }),
      findings: [{ code: 'self-parent', arguments: { name: '"execute_tool issue_refund"' }, spans: ['5'] }],
    },
    {
      what: 'two spans are each other’s parent',
      parameters: {},
      after: orderStory().map((span) => {
        const parent = { '3': '5', '5': '3' }[span.id];
        return parent === undefined ? span : { ...span, parent };
      }),
      findings: [
        {
          code: 'cycle',
          arguments: { length: 2, names: ['"execute_tool lookup_order"', '"execute_tool issue_refund"'] },
          spans: ['3', '5'],
        },
      ],
    },
    {
      what: 'a second row of one span differs',
      parameters: {},
      after: withMore(...changed('5', (span) => setAttributes(span, { 'gen_ai.tool.call.id': 'c9' })).slice(5, 6)),
      findings: [
        {
          code: 'conflicting-copies',
          arguments: { name: '"execute_tool issue_refund"', rows: 2 },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'an empty run id',
      parameters: {},
      before: stamped(),
      after: stamp('3', { [ownAttributes.runId]: '' }),
      findings: [{ code: 'run-id-empty', arguments: { spans: 1 }, spans: ['3'] }],
    },
    {
      what: 'another run id',
      parameters: {},
      before: stamped(),
      after: stamp('3', { [ownAttributes.runId]: 'run-2' }),
      findings: [{ code: 'run-id-differs', arguments: { values: 2, spans: 1 }, spans: ['3'] }],
    },
    {
      what: 'a blank conversation id',
      parameters: {},
      before: stamped(),
      after: stamp('3', { 'gen_ai.conversation.id': ' ' }),
      findings: [{ code: 'conversation-id-empty', arguments: { spans: 1 }, spans: ['3'] }],
    },
    {
      what: 'another conversation id',
      parameters: {},
      before: stamped(),
      after: stamp('3', { 'gen_ai.conversation.id': 'conversation-2' }),
      findings: [{ code: 'conversation-id-differs', arguments: { values: 2, spans: 1 }, spans: ['3'] }],
    },
    {
      what: 'an event index twice, so that its own is missing',
      parameters: {},
      before: stamped(),
      after: stamp('3', { [ownAttributes.eventIndex]: 2 }),
      findings: [
        {
          code: 'event-index-repeated',
          arguments: { segment: '00000000000000e1', indices: ['2'] },
          spans: ['3', '4'],
        },
        {
          code: 'event-index-gap',
          arguments: { segment: '00000000000000e1', missing: 1, first: 3 },
          spans: ['3', '4'],
        },
      ],
    },
    {
      what: 'a stamped span is gone',
      parameters: {},
      before: stamped(),
      after: stamped().filter(({ id }) => id !== '3'),
      findings: [
        {
          code: 'event-index-gap',
          arguments: { segment: '00000000000000e1', missing: 1, first: 3 },
          spans: ['4'],
        },
      ],
    },
    {
      what: 'a span hangs below another child of the root',
      parameters: { children: 'direct' },
      after: changed('5', (span) => {
        span.parent = '4';
      }),
      findings: [
        {
          code: 'not-a-direct-child',
          arguments: { root: '"invoke_agent order-support"', spans: 1, first: '"execute_tool issue_refund"' },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'the spans of a declared service are gone',
      parameters: two,
      before: withMore({ id: '8', parent: '5', name: 'POST /refunds', service: 'payments', start: 270 }),
      after: orderStory(),
      findings: [
        {
          code: 'service-missing',
          arguments: { service: '"payments"', services: ['"order-support"'] },
          spans: [],
        },
      ],
    },
    ...projectionMutations,
  ],
};
