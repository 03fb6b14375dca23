import { procedureGuarded } from '../../../assertions/procedure-guarded.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { toolSpan } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const clerk = 'a'.repeat(64);
const customer = 'b'.repeat(64);

const stage = (name: string, identity?: string) => ({
  name: `otel_eval.evidence.procedure.${name}`,
  attributes: { procedure_id: 'goodwill-refund', ...(identity === undefined ? {} : { identity_sha256: identity }) },
});

const turn = (id: string, start: number, ...events: NonNullable<SpanSketch['events']>): SpanSketch => ({
  id,
  parent: '1',
  name: 'invoke_agent support',
  scope: 'otel-eval',
  start,
  end: start + 90,
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'support',
    'otel_eval.instrumented': 'all',
  },
  events,
});

const check = (id: string, parent: string, start: number, event: ReturnType<typeof stage>): SpanSketch => ({
  id,
  parent,
  name: 'procedure.precondition',
  scope: 'otel-eval',
  start,
  events: [event],
});

const refund = (id: string, parent: string, start: number): SpanSketch => ({
  ...toolSpan(id, start, { id: `call-${id}`, name: 'issue_refund', result: { refunded: 40 } }),
  parent,
});

/** Drafted (2), asked for as a draft (3), approved (5), run for a clerk (6), kept from a customer (9). */
export function procedureStory(change: (spans: SpanSketch[]) => void = () => {}): SpanSketch[] {
  const spans = [
    { id: '1', name: 'session', scope: 'otel-eval', end: 900 },
    turn('2', 10, stage('drafted')),
    turn('3', 110),
    check('4', '3', 120, stage('blocked')),
    turn('5', 210, stage('approved')),
    turn('6', 310),
    check('7', '6', 320, stage('allowed', clerk)),
    refund('8', '6', 340),
    turn('9', 410),
    check('a', '9', 420, stage('blocked', customer)),
  ];
  change(spans);
  return spans;
}

const set = (spans: SpanSketch[], id: string, change: Partial<SpanSketch>): void => {
  Object.assign(spans.find((span) => span.id === id) ?? {}, change);
};

const parameters = { procedure: 'goodwill-refund', tool: 'issue_refund', precondition: 'procedure.precondition' };
const before = procedureStory();
const ran = (calls: number, blocked: number) => ({ tool: '"issue_refund"', calls, blocked });

export const procedureMutations: MutationTable = {
  assertion: procedureGuarded,
  mutations: [
    {
      what: 'R2-107: it runs while it is a draft',
      parameters,
      before,
      after: procedureStory((spans) => spans.push(refund('b', '3', 140))),
      findings: [{ code: 'ran-when-not-allowed', arguments: ran(1, 1), spans: ['b'] }],
    },
    {
      what: 'R2-107: a draft is let run',
      parameters,
      before,
      after: procedureStory((spans) => {
        spans.push(turn('b', 170), check('c', 'b', 175, stage('allowed', clerk)), refund('d', 'b', 180));
      }),
      findings: [{ code: 'allowed-as-draft', arguments: { turns: 1 }, spans: ['c'] }],
    },
    {
      what: 'R2-107: it runs where it was blocked',
      parameters,
      before,
      after: procedureStory((spans) => spans.push(refund('b', '9', 450))),
      findings: [{ code: 'ran-when-not-allowed', arguments: ran(1, 1), spans: ['b'] }],
    },
    {
      what: 'it runs in a turn in which nothing was checked',
      parameters,
      before,
      after: procedureStory((spans) => spans.push(refund('b', '5', 250))),
      findings: [{ code: 'ran-when-not-allowed', arguments: ran(1, 0), spans: ['b'] }],
    },
    {
      what: 'it was let run, and did not',
      parameters,
      before,
      after: procedureStory((spans) => spans.splice(7, 1)),
      findings: [{ code: 'not-run-when-allowed', arguments: { tool: '"issue_refund"', turns: 1 }, spans: ['6'] }],
    },
    {
      what: 'R2-107: a test says that it was blocked, not the precondition',
      parameters,
      before,
      after: procedureStory((spans) => set(spans, 'a', { name: 'harness' })),
      findings: [
        {
          code: 'not-by-precondition',
          arguments: { stage: 'blocked', precondition: '"procedure.precondition"', events: 1 },
          spans: ['a'],
        },
      ],
    },
    {
      what: 'R2-107: no identity was read in the turn that was allowed',
      parameters,
      before,
      after: procedureStory((spans) => set(spans, '7', { events: [stage('allowed')] })),
      findings: [{ code: 'identity-not-read', arguments: { stage: 'allowed', events: 1 }, spans: ['7'] }],
    },
    {
      what: 'R2-107: no identity was read in the turn that was blocked',
      parameters,
      before,
      after: procedureStory((spans) => set(spans, 'a', { events: [stage('blocked')] })),
      findings: [{ code: 'identity-not-read', arguments: { stage: 'blocked', events: 1 }, spans: ['a'] }],
    },
    {
      what: 'the same identity is allowed and blocked',
      parameters,
      before,
      after: procedureStory((spans) => set(spans, 'a', { events: [stage('blocked', clerk)] })),
      findings: [{ code: 'identity-without-weight', arguments: { identities: 1 }, spans: ['a'] }],
    },
  ],
};
