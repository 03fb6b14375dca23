import { approvalHeld } from '../../../assertions/approval-held.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { toolSpan } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const agentSpan = (id: string, start: number): SpanSketch => ({
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
});

const resume = (id: string, start: number): SpanSketch => ({
  id,
  parent: '1',
  name: 'resume_run',
  scope: 'otel-eval',
  start,
  end: start + 90,
});

function decision(id: string, parent: string, start: number, ...stages: readonly string[]): SpanSketch {
  return {
    id,
    parent,
    name: 'human_input approval',
    scope: 'otel-eval',
    start,
    end: start + 10,
    attributes: { 'gen_ai.operation.name': 'human_input', 'gen_ai.tool.name': 'issue_refund' },
    events: stages.map((stage) => ({
      name: 'otel_eval.evidence.approval',
      attributes: { stage, 'gen_ai.tool.name': 'issue_refund', approval_id: 'token-1' },
    })),
  };
}

const refund = (id: string, parent: string, start: number): SpanSketch => ({
  ...toolSpan(id, start, { id: `call-${id}`, name: 'issue_refund', result: { refunded: 40 } }),
  parent,
});

/** A refund waits for a person (2), goes on when its token comes (4), and the token is refused when it comes again (7). */
export function approvalStory(change: (spans: SpanSketch[]) => void = () => {}): SpanSketch[] {
  const spans = [
    { id: '1', name: 'session', scope: 'otel-eval', end: 900 },
    agentSpan('2', 10),
    decision('3', '2', 20, 'asked'),
    resume('4', 200),
    decision('5', '4', 210, 'asked', 'granted'),
    refund('6', '4', 230),
    resume('7', 400),
    decision('8', '7', 410, 'replay_refused'),
  ];
  change(spans);
  return spans;
}

const set = (spans: SpanSketch[], id: string, change: Partial<SpanSketch>): void => {
  Object.assign(spans.find((span) => span.id === id) ?? {}, change);
};

const parameters = { tool: 'issue_refund', resume: 'resume_run' };
const before = approvalStory();
const unapproved = (calls: number) => ({ tool: '"issue_refund"', resume: '"resume_run"', calls });

export const approvalMutations: MutationTable = {
  assertion: approvalHeld,
  mutations: [
    {
      what: 'R2-107: the tool ran at once, and did not wait',
      parameters,
      before,
      after: approvalStory((spans) => spans.push(refund('9', '2', 40))),
      findings: [{ code: 'ran-unapproved', arguments: unapproved(1), spans: ['9'] }],
    },
    {
      what: 'R2-107: the token came again, was refused, and the tool ran all the same',
      parameters,
      before,
      after: approvalStory((spans) => spans.push(refund('9', '7', 430))),
      findings: [{ code: 'ran-unapproved', arguments: unapproved(1), spans: ['9'] }],
    },
    {
      what: 'the tool ran before it was granted',
      parameters,
      before,
      after: approvalStory((spans) => set(spans, '5', { start: 280, end: 285 })),
      findings: [{ code: 'ran-unapproved', arguments: unapproved(1), spans: ['6'] }],
    },
    {
      what: 'R2-107: the decision is taken by a test, not by the operation that resumes',
      parameters,
      before,
      after: approvalStory((spans) => set(spans, '8', { parent: '1' })),
      findings: [
        {
          code: 'not-through-resume',
          arguments: { stage: 'replay_refused', resume: '"resume_run"', events: 1 },
          spans: ['8'],
        },
      ],
    },
    {
      what: 'R2-107: it was granted, and nothing went on',
      parameters,
      before,
      after: approvalStory((spans) => spans.splice(5, 1)),
      findings: [{ code: 'not-continued', arguments: { tool: '"issue_refund"', approvals: 1 }, spans: ['4'] }],
    },
    {
      what: 'one approval, two calls',
      parameters,
      before,
      after: approvalStory((spans) => spans.push(refund('9', '4', 260))),
      findings: [{ code: 'continued-twice', arguments: { tool: '"issue_refund"', calls: 2 }, spans: ['6', '9'] }],
    },
    {
      what: 'R2-107: the token is taken a second time',
      parameters,
      before,
      after: approvalStory((spans) => {
        set(spans, '8', { events: decision('8', '7', 410, 'granted', 'replay_refused').events ?? [] });
        spans.push(refund('9', '7', 430));
      }),
      findings: [{ code: 'replay-accepted', arguments: { approvals: 1 }, spans: ['8'] }],
    },
  ],
};
