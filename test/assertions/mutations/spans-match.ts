import { spansMatch } from '../../../assertions/spans-match.ts';
import { changed, setAttributes, withMore, without } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const chats = { name: 'chat scripted-1' };
const errorAt4 = changed('4', (span) => {
  span.status = 'error';
});

export const spansMatchMutations: MutationTable = {
  assertion: spansMatch,
  mutations: [
    {
      what: 'every: one has not',
      parameters: { match: chats, expect: { every: { status: { not: 'error' } } } },
      after: errorAt4,
      findings: [
        {
          code: 'not-every',
          arguments: { match: 'name "chat scripted-1"', expectation: 'status not "error"', matching: 3, violating: 1 },
          spans: ['4'],
        },
      ],
    },
    {
      what: 'none: one has',
      parameters: { match: chats, expect: { none: { status: 'error' } } },
      after: errorAt4,
      findings: [
        {
          code: 'forbidden-span',
          arguments: { match: 'name "chat scripted-1"', expectation: 'status "error"', matching: 3, violating: 1 },
          spans: ['4'],
        },
      ],
    },
    {
      what: 'exactly: one more',
      parameters: { match: chats, expect: { exactly: 3 } },
      after: withMore({ id: '8', parent: '1', name: 'chat scripted-1', start: 410 }),
      findings: [
        {
          code: 'too-many-spans',
          arguments: { match: 'name "chat scripted-1"', wanted: 'exactly 3 spans', spans: 4, matching: 4 },
          spans: ['2', '4', '6', '8'],
        },
      ],
    },
    {
      what: 'at least: one fewer',
      parameters: { match: chats, expect: { atLeast: 3 } },
      after: without('4'),
      findings: [
        {
          code: 'too-few-spans',
          arguments: { match: 'name "chat scripted-1"', wanted: 'at least 3 spans', spans: 2, matching: 2 },
          spans: ['2', '6'],
        },
      ],
    },
    {
      what: 'at least one that: an attribute differs',
      parameters: {
        match: { step: 'tool' },
        expect: { atLeast: 2, that: { attributes: { 'gen_ai.tool.call.id': { startsWith: 'c' } } } },
      },
      after: changed('5', (span) => setAttributes(span, { 'gen_ai.tool.call.id': 'x2' })),
      findings: [
        {
          code: 'too-few-spans',
          arguments: {
            match: 'step tool that has attribute gen_ai.tool.call.id as wanted',
            wanted: 'at least 2 spans',
            spans: 1,
            matching: 2,
          },
          spans: ['3'],
        },
      ],
    },
    {
      what: 'under: one hangs elsewhere',
      parameters: { match: { step: 'model' }, expect: { every: { under: { step: 'agent' } } } },
      after: changed('6', (span) => {
        delete span.parent;
      }),
      options: { runs: { oneRun: true } },
      findings: [
        {
          code: 'not-every',
          arguments: { match: 'step model', expectation: 'under (step agent)', matching: 3, violating: 1 },
          spans: ['6'],
        },
      ],
    },
  ],
};
