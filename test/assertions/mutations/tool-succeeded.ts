import { toolSucceeded } from '../../../assertions/tool-succeeded.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { changed, setAttributes, toolSpan, withMore } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const refundArguments = { order_id: 'ORD-1001', amount: 40 };
const again = (id: string, start: number, result: unknown): SpanSketch =>
  toolSpan(id, start, { id: `c${id}`, name: 'issue_refund', arguments: refundArguments, result });

const failed = (change: (span: SpanSketch) => void): SpanSketch[] => changed('5', change);
const refundFailed = (evidence: readonly string[]) => [
  { code: 'failed-calls', arguments: { tool: 'any tool', failed: 1, calls: 2, evidence }, spans: ['5'] },
];

export const toolSucceededMutations: MutationTable = {
  assertion: toolSucceeded,
  mutations: [
    {
      what: 'status ERROR',
      parameters: {},
      after: failed((span) => {
        span.status = 'error';
      }),
      findings: refundFailed(['status']),
    },
    {
      what: 'error.type under a status that is unset',
      parameters: {},
      after: failed((span) => setAttributes(span, { 'error.type': 'Timeout' })),
      findings: refundFailed(['error.type']),
    },
    {
      what: 'an exception event under status OK',
      parameters: {},
      after: failed((span) => {
        span.status = 'ok';
        span.events = [{ name: 'exception', attributes: { 'exception.type': 'IOError' } }];
      }),
      findings: refundFailed(['exception']),
    },
    {
      what: 'a result that says isError',
      parameters: {},
      after: failed((span) => setAttributes(span, { 'gen_ai.tool.call.result': '{"isError":true}' })),
      findings: refundFailed(['result']),
    },
    {
      what: 'a stamp that the withheld result says so',
      parameters: {},
      after: failed((span) => setAttributes(span, { 'otel_eval.tool.result_failed': true })),
      findings: refundFailed(['stamp']),
    },
    {
      what: 'a failed attempt before one that succeeded',
      parameters: { match: { tool: 'issue_refund' } },
      after: withMore({ ...again('8', 210, undefined), status: 'error' }),
      findings: [
        {
          code: 'failed-calls',
          arguments: { tool: '"issue_refund"', failed: 1, calls: 2, evidence: ['status'] },
          spans: ['8'],
        },
      ],
    },
    {
      what: 'last: a failed attempt after one that succeeded',
      parameters: { match: { tool: 'issue_refund' }, expect: { attempts: 'last' } },
      before: withMore({ ...again('8', 210, undefined), status: 'error' }),
      after: withMore({ ...again('8', 410, undefined), status: 'error' }),
      findings: [
        {
          code: 'last-attempt-failed',
          arguments: { tool: '"issue_refund"', failed: 1, operations: 1 },
          spans: ['8'],
        },
      ],
    },
    {
      what: 'last, by the arguments that identify an operation',
      parameters: { match: { tool: 'issue_refund' }, expect: { attempts: 'last' }, identity: ['order_id'] },
      after: withMore({
        ...toolSpan('8', 410, { id: 'c8', name: 'issue_refund', arguments: { order_id: 'ORD-1001', amount: 39 } }),
        status: 'error',
      }),
      findings: [
        {
          code: 'last-attempt-failed',
          arguments: { tool: '"issue_refund"', failed: 1, operations: 1 },
          spans: ['8'],
        },
      ],
    },
    {
      what: 'at least two: one of them failed',
      parameters: { expect: { attempts: { atLeast: 2 } } },
      after: failed((span) => {
        span.status = 'error';
      }),
      findings: [
        {
          code: 'too-few-successes',
          arguments: { tool: 'any tool', wanted: 2, succeeded: 1, calls: 2 },
          spans: ['3', '5'],
        },
      ],
    },
  ],
};
