import { recoveredUnattended } from '../../../assertions/recovered-unattended.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { toolSpan } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const scope = 'otel-eval';
const message = (role: string, ...parts: object[]): object => ({ role, parts });
const text = (content: string): object => ({ type: 'text', content });

type Try = { readonly arguments: object; readonly result?: object; readonly given?: object };

const wrong: Try = {
  arguments: { id: 'T-8841', status: 'Closed' },
  result: { error: 'status: expected open or closed' },
};
const right: Try = { arguments: { id: 'T-8841', status: 'closed' }, result: { ok: true } };

export interface TicketStory {
  readonly tries?: readonly Try[];
  readonly effects?: readonly { readonly identity: number; readonly state?: string }[];
  readonly endState?: boolean;
  readonly canary?: string;
  readonly constraint?: boolean;
  readonly more?: readonly SpanSketch[];
}

/** Ticket T-8841 is to be closed; the first call has a status that the validator refuses. */
export function ticketStory({
  tries = [wrong, right],
  effects = [{ identity: 1 }],
  endState = true,
  canary = 'rejected',
  constraint = false,
  more = [],
}: TicketStory = {}): SpanSketch[] {
  const history: object[] = [message('user', text('Please close T-8841.'))];
  const spans: SpanSketch[] = [];
  const chat = (at: number, output: object): void => {
    spans.push({
      id: `2${at}`,
      parent: '1',
      name: 'chat scripted-1',
      kind: 'client',
      scope,
      start: at * 100 + 10,
      end: at * 100 + 40,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'scripted-1',
        'gen_ai.agent.name': 'tickets',
        'gen_ai.input.messages': JSON.stringify(history),
        'gen_ai.output.messages': JSON.stringify([output]),
      },
    });
    history.push(output);
  };
  for (const [at, one] of tries.entries()) {
    const id = `c${at}`;
    chat(at, message('assistant', { type: 'tool_call', id, name: 'update_ticket', arguments: one.arguments }));
    spans.push(
      toolSpan(`3${at}`, at * 100 + 50, {
        id,
        name: 'update_ticket',
        arguments: one.given ?? one.arguments,
        result: one.result,
      }),
    );
    history.push(message('tool', { type: 'tool_call_response', id, response: one.result }));
  }
  chat(tries.length, message('assistant', text('T-8841 is closed.')));
  const events = [
    { name: 'otel_eval.evidence.snapshot', attributes: { stage: 'before', 'record.count': 0 } },
    { name: 'otel_eval.evidence.snapshot', attributes: { stage: 'after', 'record.count': effects.length } },
    { name: 'otel_eval.evidence.end_state', attributes: { success: endState } },
    ...(constraint ? [{ name: 'otel_eval.evidence.constraint', attributes: { stage: 'broken' } }] : []),
    ...effects.map(({ identity, state = 'committed' }, index) => ({
      name: 'otel_eval.evidence.effect',
      attributes: { index, identity, state, 'gen_ai.tool.name': 'update_ticket' },
    })),
  ];
  return [
    {
      id: '1',
      name: 'invoke_agent tickets',
      scope,
      start: 0,
      end: 3_000,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'tickets',
        'otel_eval.instrumented': 'all',
      },
      events:
        canary === ''
          ? []
          : [{ name: 'otel_eval.evidence.canary', attributes: { stage: canary, 'gen_ai.tool.name': 'update_ticket' } }],
    },
    ...spans,
    ...more,
    { id: '9', parent: '1', name: 'otel_eval ledger', scope: 'otel-eval/faults', start: 2_900, end: 2_950, events },
  ];
}

export const unattended: object = {
  tool: 'update_ticket',
  attempts: { max: 4, cap: 12, source: 'p95 of 20 s less 7 s, requirement R-12' },
  normalisers: [],
};
const tool = '"update_ticket"';
const after = ticketStory;

export const unattendedMutations: MutationTable = {
  assertion: recoveredUnattended,
  mutations: [
    {
      what: 'R3-05: a fifth attempt',
      parameters: unattended,
      before: ticketStory(),
      after: after({ tries: [wrong, wrong, wrong, wrong, right] }),
      findings: [
        {
          code: 'attempts-over-bound',
          arguments: { tool, max: 4, source: 'p95 of 20 s less 7 s, requirement R-12', attempts: 5, atCap: false },
          spans: ['34'],
        },
      ],
    },
    {
      what: 'stopped at the cap',
      parameters: { ...unattended, attempts: { max: 2, cap: 6, source: 'requirement' } },
      before: ticketStory(),
      after: after({ tries: [wrong, wrong, wrong, wrong, wrong, right] }),
      findings: [
        {
          code: 'attempts-over-bound',
          arguments: { tool, max: 2, source: 'requirement', attempts: 6, atCap: true },
          spans: ['32', '33', '34', '35'],
        },
      ],
    },
    {
      what: 'R3-21: two committed effects',
      parameters: unattended,
      before: ticketStory(),
      after: after({ effects: [{ identity: 1 }, { identity: 1 }] }),
      findings: [{ code: 'not-one-effect', arguments: { tool, standing: 2, duplicate: true }, spans: ['30', '31'] }],
    },
    {
      what: 'R3-09: the store disagrees',
      parameters: unattended,
      before: ticketStory(),
      after: after({ endState: false }),
      findings: [{ code: 'end-state-wrong', arguments: {}, spans: [] }],
    },
    {
      what: 'a constraint was broken on the way',
      parameters: unattended,
      before: ticketStory(),
      after: after({ constraint: true }),
      findings: [{ code: 'constraint-broken', arguments: {}, spans: [] }],
    },
    {
      what: 'no call succeeded',
      parameters: unattended,
      before: ticketStory(),
      after: after({ tries: [wrong, wrong] }),
      findings: [{ code: 'no-ok-result', arguments: { tool, attempts: 2 }, spans: ['30', '31'] }],
    },
    {
      what: 'R3-07: a person took part',
      parameters: unattended,
      before: ticketStory(),
      after: after({
        more: [
          {
            id: '8',
            parent: '1',
            name: 'human_input approval',
            scope,
            start: 145,
            end: 148,
            attributes: { 'gen_ai.operation.name': 'human_input' },
          },
        ],
      }),
      findings: [{ code: 'human-input', arguments: { inputs: 1 }, spans: ['8'] }],
    },
    {
      what: 'R3-06: arguments were changed on the way to the validator',
      parameters: unattended,
      before: ticketStory(),
      after: after({ tries: [wrong, { ...right, given: { id: 'T-8841', status: 'closed', note: '' } }] }),
      findings: [{ code: 'repair-layer', arguments: { told: ['arguments changed on the way in 1 call'] }, spans: [] }],
    },
    {
      what: 'R3-06: the dispatch accepted the canary',
      parameters: unattended,
      before: ticketStory(),
      after: after({ canary: 'accepted' }),
      findings: [
        { code: 'repair-layer', arguments: { told: ['a call that must be refused was accepted'] }, spans: [] },
      ],
    },
    {
      what: 'R3-06: a span that repairs',
      parameters: unattended,
      before: ticketStory(),
      after: after({ more: [{ id: '7', parent: '1', name: 'ai.toolCallRepair', scope: 'ai', start: 46, end: 48 }] }),
      findings: [{ code: 'repair-layer', arguments: { told: ['spans that repair: "ai.toolCallRepair"'] }, spans: [] }],
    },
  ],
};
