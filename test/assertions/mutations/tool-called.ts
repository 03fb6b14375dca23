import { toolCalled } from '../../../assertions/tool-called.ts';
import { changed, orderStory, setAttributes, toolSpan, withMore, without } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const refundOnce = { match: { tool: 'issue_refund', arguments: { order_id: 'ORD-1001' } }, expect: { exactly: 1 } };
const refund = '"issue_refund" with the arguments order_id';
const secondRefund = toolSpan('8', 410, {
  id: 'c3',
  name: 'issue_refund',
  arguments: { order_id: 'ORD-1001', amount: 40 },
  result: { refunded: 40 },
});
const escalation = toolSpan('8', 410, { id: 'c3', name: 'escalate', arguments: {}, result: 'done' });
const both = [{ tool: 'lookup_order' }, { tool: 'issue_refund' }];

/** The refund began before the lookup had ended. */
const overlapping = changed('5', (span) => {
  span.start = 120;
});
const otherOrder = changed('5', (span) =>
  setAttributes(span, { 'gen_ai.tool.call.arguments': '{"order_id":"ORD-7"}' }),
);

export const toolCalledMutations: MutationTable = {
  assertion: toolCalled,
  mutations: [
    {
      what: 'the refund is for another order',
      parameters: refundOnce,
      after: otherOrder,
      findings: [
        {
          code: 'too-few-calls',
          arguments: { tool: refund, wanted: 'exactly 1 call', calls: 0, toolCalls: 2 },
          spans: [],
        },
      ],
    },
    {
      what: 'the refund lacks an argument',
      parameters: {
        match: { tool: 'issue_refund', argumentsExactly: { order_id: 'ORD-1001', amount: 40 } },
      },
      after: changed('5', (span) => setAttributes(span, { 'gen_ai.tool.call.arguments': '{"order_id":"ORD-1001"}' })),
      findings: [
        {
          code: 'too-few-calls',
          arguments: {
            tool: '"issue_refund" with the exact arguments order_id and amount',
            wanted: 'at least 1 call',
            calls: 0,
            toolCalls: 2,
          },
          spans: [],
        },
      ],
    },
    {
      what: 'the amount does not meet the schema',
      parameters: {
        match: {
          tool: 'issue_refund',
          argumentsSchema: { properties: { amount: { type: 'number', maximum: 50 } }, required: ['amount'] },
        },
      },
      after: changed('5', (span) =>
        setAttributes(span, { 'gen_ai.tool.call.arguments': '{"order_id":"ORD-1001","amount":400}' }),
      ),
      findings: [
        {
          code: 'too-few-calls',
          arguments: {
            tool: '"issue_refund" with arguments of the schema',
            wanted: 'at least 1 call',
            calls: 0,
            toolCalls: 2,
          },
          spans: [],
        },
      ],
    },
    {
      what: 'a second refund',
      parameters: refundOnce,
      after: withMore(secondRefund),
      findings: [
        {
          code: 'too-many-calls',
          arguments: { tool: refund, wanted: 'exactly 1 call', calls: 2, toolCalls: 3 },
          spans: ['5', '8'],
        },
      ],
    },
    {
      what: 'a second refund that failed counts too',
      parameters: { match: { tool: 'issue_refund' }, expect: { atMost: 1 } },
      after: withMore({ ...secondRefund, status: 'error' }),
      findings: [
        {
          code: 'too-many-calls',
          arguments: { tool: '"issue_refund"', wanted: 'at most 1 call', calls: 2, toolCalls: 3 },
          spans: ['5', '8'],
        },
      ],
    },
    {
      what: 'a forbidden tool is called',
      parameters: { match: { tool: 'escalate' }, expect: { none: true } },
      after: withMore(escalation),
      findings: [
        {
          code: 'too-many-calls',
          arguments: { tool: '"escalate"', wanted: 'no call', calls: 1, toolCalls: 3 },
          spans: ['8'],
        },
      ],
    },
    {
      what: 'the refund overlaps the lookup',
      parameters: { match: { tool: 'issue_refund' }, order: { mode: 'inOrder', calls: both } },
      after: overlapping,
      findings: [
        {
          code: 'out-of-order',
          arguments: {
            mode: 'inOrder',
            wanted: ['"lookup_order"', '"issue_refund"'],
            called: ['"lookup_order"', '"issue_refund"'],
          },
          spans: ['3', '5'],
        },
      ],
    },
    {
      what: 'a call beyond the exact ones',
      parameters: { match: { tool: 'issue_refund' }, order: { mode: 'exact', calls: both } },
      after: withMore(escalation),
      findings: [{ code: 'further-calls', arguments: { calls: 1, names: ['"escalate"'] }, spans: ['8'] }],
    },
    {
      what: 'one of the ordered calls is gone',
      parameters: { match: { tool: 'issue_refund' }, order: { mode: 'anyOrder', calls: both } },
      before: orderStory(),
      after: changed('3', (span) => {
        span.name = 'plain work';
        span.attributes = {};
        span.scope = 'other';
      }).filter(({ id }) => id !== '2'),
      findings: [
        {
          code: 'call-missing',
          arguments: { tool: '"lookup_order"', place: 1, of: 2 },
          spans: [],
        },
      ],
    },
    {
      what: 'the refund came first',
      parameters: {
        match: { tool: 'issue_refund' },
        order: { mode: 'partial', pairs: [{ before: { tool: 'lookup_order' }, after: { tool: 'issue_refund' } }] },
      },
      after: overlapping,
      findings: [
        {
          code: 'not-preceded',
          arguments: { before: '"lookup_order"', after: '"issue_refund"', calls: 1 },
          spans: ['5'],
        },
      ],
    },
    {
      what: 'the lookup and its request are gone',
      parameters: { match: { tool: 'lookup_order' } },
      after: without('2', '3'),
      findings: [
        {
          code: 'too-few-calls',
          arguments: { tool: '"lookup_order"', wanted: 'at least 1 call', calls: 0, toolCalls: 1 },
          spans: [],
        },
      ],
    },
  ],
};
