import { resultHeeded } from '../../../assertions/result-heeded.ts';
import type { Mutation, MutationTable } from './mutation.ts';
import { type TicketStory, ticketStory } from './recovered-unattended.ts';

type Try = NonNullable<TicketStory['tries']>[number];

const right = { id: 'T-8841', status: 'closed', customer: { id: 7, name: 'Ana' }, priority: 2 };
const wrong = { ...right, status: 'Closed' };
const refused = { error: { code: 'invalid_status', field: 'status' } };
const locked = { error: { code: 'ticket_locked', message: 'never again' } };

const failing = (given: object = wrong, result: object = refused): Try => ({ arguments: given, result });
const fine = (given: object = right): Try => ({ arguments: given, result: { ok: true } });
const story = (...tries: Try[]) => ticketStory({ tries });

const tool = '"update_ticket"';
const corrects = { tool: 'update_ticket', error: 'invalid_status', expect: { corrects: ['status'] } };
const stops = { tool: 'update_ticket', error: 'ticket_locked', expect: { stops: true } };
const once = { tool: 'update_ticket', expect: { commitsOnce: true } };
const fields = ['status'];

const mutations: readonly Mutation[] = [
  {
    what: 'R3-01: all fields anew instead of the named one',
    parameters: corrects,
    before: story(failing(), fine()),
    after: story(failing(), fine({ ...right, priority: 3, note: 'please' })),
    findings: [{ code: 'resampled', arguments: { tool, fields, others: 2 }, spans: ['30', '31'] }],
  },
  {
    what: 'R3-01: the field is named by the error itself',
    parameters: { ...corrects, expect: { corrects: 'named' } },
    before: story(failing(), fine()),
    after: story(failing(), fine({ ...right, id: 'T-8842' })),
    findings: [{ code: 'resampled', arguments: { tool, fields, others: 1 }, spans: ['30', '31'] }],
  },
  {
    what: 'R3-01: something else is changed, and the named field is not',
    parameters: corrects,
    before: story(failing(), fine()),
    after: story(failing(), failing({ ...wrong, priority: 1 }, locked)),
    findings: [{ code: 'not-corrected', arguments: { tool, fields, further: true }, spans: ['30', '31'] }],
  },
  {
    what: 'R3-01: nothing is tried again',
    parameters: corrects,
    before: story(failing(), fine()),
    after: story(failing()),
    findings: [{ code: 'not-corrected', arguments: { tool, fields, further: false }, spans: ['30'] }],
  },
  {
    what: 'R3-01: a nested field, and its neighbour changes with it',
    parameters: { ...corrects, expect: { corrects: ['customer.id'] } },
    before: story(failing(right), fine({ ...right, customer: { id: 8, name: 'Ana' } })),
    after: story(failing(right), fine({ ...right, customer: { id: 8, name: 'Ben' } })),
    findings: [{ code: 'resampled', arguments: { tool, fields: ['customer.id'], others: 1 }, spans: ['30', '31'] }],
  },
  {
    what: 'R3-01: called again although told that it is of no use',
    parameters: stops,
    before: story(failing(right, locked)),
    after: story(failing(right, locked), fine(), fine()),
    findings: [
      { code: 'went-on', arguments: { tool, error: 'the error "ticket_locked"', calls: 2 }, spans: ['30', '31', '32'] },
    ],
  },
  {
    what: 'R3-01: called again about the same ticket, where another one is allowed',
    parameters: { ...stops, identity: ['id'] },
    before: story(failing(right, locked), fine({ ...right, id: 'T-9000' })),
    after: story(failing(right, locked), fine({ ...right, status: 'done' })),
    findings: [
      { code: 'went-on', arguments: { tool, error: 'the error "ticket_locked"', calls: 1 }, spans: ['30', '31'] },
    ],
  },
  {
    what: 'R3-01: a success that is replayed is committed again',
    parameters: once,
    before: ticketStory({ tries: [fine(), fine()], effects: [{ identity: 1 }, { identity: 1, state: 'rejected' }] }),
    after: ticketStory({ tries: [fine(), fine()], effects: [{ identity: 1 }, { identity: 1 }] }),
    findings: [{ code: 'committed-again', arguments: { tool, standing: 2 }, spans: ['30', '31'] }],
  },
];

export const resultHeededMutations: MutationTable = { assertion: resultHeeded, mutations };
