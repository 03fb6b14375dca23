import { toolOrder } from '../../../assertions/tool-order.ts';
import { changed, toolSpan, withMore, without } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const lookup = { tool: 'lookup_order' };
const refund = { tool: 'issue_refund' };
const escalation = toolSpan('8', 410, { id: 'c3', name: 'escalate', arguments: {}, result: 'done' });
const both = ['"lookup_order"', '"issue_refund"'];

const overlapping = changed('5', (span) => {
  span.start = 130;
});

export const toolOrderMutations: MutationTable = {
  assertion: toolOrder,
  mutations: [
    {
      what: 'exact: a call more',
      parameters: { mode: 'exact', calls: [lookup, refund] },
      after: withMore(escalation),
      findings: [{ code: 'further-calls', arguments: { calls: 1, names: ['"escalate"'] }, spans: ['8'] }],
    },
    {
      what: 'exact: the two overlap',
      parameters: { mode: 'exact', calls: [lookup, refund] },
      after: overlapping,
      findings: [{ code: 'out-of-order', arguments: { mode: 'exact', wanted: both, called: both }, spans: ['3', '5'] }],
    },
    {
      what: 'in order: one is missing',
      parameters: { mode: 'inOrder', calls: [lookup, refund] },
      after: without('2', '3'),
      findings: [{ code: 'call-missing', arguments: { tool: '"lookup_order"', place: 1, of: 2 }, spans: [] }],
    },
    {
      what: 'any order: a call more',
      parameters: { mode: 'anyOrder', calls: [refund, lookup] },
      after: withMore(escalation),
      findings: [{ code: 'further-calls', arguments: { calls: 1, names: ['"escalate"'] }, spans: ['8'] }],
    },
    {
      what: 'in order, others forbidden: a call more',
      parameters: { mode: 'inOrder', calls: [lookup, refund], others: 'forbidden' },
      after: withMore(escalation),
      findings: [{ code: 'further-calls', arguments: { calls: 1, names: ['"escalate"'] }, spans: ['8'] }],
    },
    {
      what: 'partial: the refund does not wait for the lookup',
      parameters: { mode: 'partial', pairs: [{ before: lookup, after: refund }] },
      after: overlapping,
      findings: [
        {
          code: 'not-preceded',
          arguments: { before: '"lookup_order"', after: '"issue_refund"', calls: 1 },
          spans: ['5'],
        },
      ],
    },
  ],
};
