import { notLooping } from '../../../assertions/not-looping.ts';
import type { Mutation, MutationTable } from './mutation.ts';
import { type TicketStory, ticketStory } from './recovered-unattended.ts';

type Try = NonNullable<TicketStory['tries']>[number];

/** A page of a list that never gets whole. */
const page = (number: number, rows = 3): Try => ({ arguments: { page: number }, result: { rows, of: 5 } });
const story = (...tries: Try[]) => ticketStory({ tries });
const tool = '"update_ticket"';
const ceiling = { max: 4, source: 'loop guard of the runner' };

const mutations: readonly Mutation[] = [
  {
    what: 'R4-43: the same partial page a third time',
    parameters: {},
    before: story(page(1), page(1), page(2)),
    after: story(page(2), page(1), page(1), page(1)),
    findings: [
      { code: 'cycle', arguments: { tools: [tool], rounds: 3, least: 3, step: 2 }, spans: ['31', '32', '33'] },
    ],
  },
  {
    what: 'R4-43: two pages in turns',
    parameters: {},
    before: story(page(1), page(2), page(1), page(2), page(3)),
    after: story(page(1), page(2), page(1), page(2), page(1), page(2), page(1)),
    findings: [
      {
        code: 'cycle',
        arguments: { tools: [tool, tool], rounds: 3, least: 3, step: 1 },
        spans: ['30', '31', '32', '33', '34', '35'],
      },
    ],
  },
  {
    what: 'R4-43: an answer that had changed stands still',
    parameters: {},
    before: story(page(1, 1), page(1, 2), page(1, 3), page(1, 4)),
    after: story(page(1, 1), page(1, 1), page(1, 1), page(1, 4)),
    findings: [
      { code: 'cycle', arguments: { tools: [tool], rounds: 3, least: 3, step: 1 }, spans: ['30', '31', '32'] },
    ],
  },
  {
    what: 'R4-43: the hard ceiling of steps',
    parameters: { ceiling },
    before: story(page(1), page(2), page(3)),
    after: story(page(1), page(2), page(3), page(4)),
    findings: [
      { code: 'at-ceiling', arguments: { max: 4, source: 'loop guard of the runner', calls: 4 }, spans: ['33'] },
    ],
  },
];

export const notLoopingMutations: MutationTable = { assertion: notLooping, mutations };
