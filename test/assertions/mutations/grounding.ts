import { citationsSupported } from '../../../assertions/citations-supported.ts';
import { handedOff } from '../../../assertions/handed-off.ts';
import { noHumanInput } from '../../../assertions/no-human-input.ts';
import { retrieved } from '../../../assertions/retrieved.ts';
import { stageObserved } from '../../../assertions/stage-observed.ts';
import { changed, setAttributes, toolSpan, withMore } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';
import { answering } from './response-contains.ts';

const documents = (...ids: string[]) =>
  changed('7', (span) =>
    setAttributes(span, { 'gen_ai.retrieval.documents': JSON.stringify(ids.map((id) => ({ id }))) }),
  );

export const citationsMutations: MutationTable = {
  assertion: citationsSupported,
  mutations: [
    {
      what: 'an invented id beside a true one',
      parameters: {},
      after: answering('Done [source:policy-7] [source:policy-77].'),
      findings: [
        {
          code: 'unsupported-citation',
          arguments: { unsupported: 1, citations: 2, places: ['2'], retrieved: 2 },
          spans: ['6'],
        },
      ],
    },
    {
      what: 'retrieval returned another document',
      parameters: {},
      after: documents('policy-9'),
      findings: [
        {
          code: 'unsupported-citation',
          arguments: { unsupported: 1, citations: 1, places: ['1'], retrieved: 1 },
          spans: ['6'],
        },
      ],
    },
    {
      what: 'fewer citations',
      parameters: { atLeast: 2 },
      before: answering('Done [source:policy-7] [source:policy-9].'),
      after: answering('Done [source:policy-7] [source:policy-7].'),
      findings: [{ code: 'too-few-citations', arguments: { wanted: 2, citations: 1 }, spans: ['6'] }],
    },
  ],
};

export const retrievedMutations: MutationTable = {
  assertion: retrieved,
  mutations: [
    {
      what: 'the document was not returned',
      parameters: { documents: ['policy-7'] },
      after: documents('policy-9'),
      findings: [
        {
          code: 'document-not-retrieved',
          arguments: { document: '"policy-7"', retrievals: 1, within: null },
          spans: ['7'],
        },
      ],
    },
    {
      what: 'the document came too late in the list',
      parameters: { documents: ['policy-7'], within: 1 },
      after: documents('policy-9', 'policy-7'),
      findings: [
        {
          code: 'document-not-retrieved',
          arguments: { document: '"policy-7"', retrievals: 1, within: 1 },
          spans: ['7'],
        },
      ],
    },
    {
      what: 'one retrieval fewer',
      parameters: { atLeast: 2 },
      before: withMore({ ...changed('7', () => {})[1]!, id: '8', start: 410, end: 420 }),
      after: changed('7', () => {}),
      findings: [{ code: 'too-few-retrievals', arguments: { wanted: 2, retrievals: 1 }, spans: ['7'] }],
    },
  ],
};

const transfer = toolSpan('8', 410, { id: 'c8', name: 'transfer_to_billing', arguments: {}, result: 'ok' });
const match = { to: 'billing' };
const seen = ['"order-support" to "billing"'];

export const handedOffMutations: MutationTable = {
  assertion: handedOff,
  mutations: [
    {
      what: 'the handoff is gone',
      parameters: { match },
      before: withMore(transfer),
      after: changed('1', () => {}),
      findings: [
        {
          code: 'too-few-handoffs',
          arguments: { match: 'to "billing"', wanted: 'at least 1 handoff', handoffs: 0, seen: [] },
          spans: [],
        },
      ],
    },
    {
      what: 'a forbidden handoff',
      parameters: { expect: { none: true } },
      after: withMore(transfer),
      findings: [
        {
          code: 'too-many-handoffs',
          arguments: { match: 'between any agents', wanted: 'no handoff', handoffs: 1, seen },
          spans: ['8'],
        },
      ],
    },
  ],
};

export const noHumanInputMutations: MutationTable = {
  assertion: noHumanInput,
  mutations: [
    {
      what: 'a person approved',
      parameters: {},
      after: withMore({
        id: '8',
        parent: '1',
        name: 'wait for approval',
        scope: '@mastra/core',
        start: 305,
        end: 309,
        attributes: { 'mastra.span.type': 'workflow_wait_event' },
      }),
      findings: [{ code: 'human-input', arguments: { kind: 'approval', inputs: 1 }, spans: ['8'] }],
    },
  ],
};

const evidence = (count: number) =>
  changed('7', (span) => {
    span.events = [{ name: 'otel_eval.evidence.recall', attributes: { admitted: count } }];
  });
const recall = { stage: 'recall', minimumCounts: { admitted: 2 } };

export const stageObservedMutations: MutationTable = {
  assertion: stageObserved,
  mutations: [
    {
      what: 'the stage left nothing',
      parameters: recall,
      before: evidence(2),
      after: changed('7', () => {}),
      findings: [{ code: 'stage-absent', arguments: { stage: '"recall"', wanted: 1, seen: 0 }, spans: [] }],
    },
    {
      what: 'a lower count',
      parameters: recall,
      before: evidence(2),
      after: evidence(1),
      findings: [
        {
          code: 'count-too-low',
          arguments: { stage: '"recall"', wanted: 1, enough: 0, attributes: ['admitted of 2 or more'] },
          spans: ['7'],
        },
      ],
    },
    {
      what: 'its span ended with an error',
      parameters: { stage: 'retrieval policies' },
      after: changed('7', (span) => {
        span.status = 'error';
      }),
      findings: [
        {
          code: 'stage-failed',
          arguments: { stage: '"retrieval policies"', wanted: 1, seen: 1, failed: 1 },
          spans: ['7'],
        },
      ],
    },
    {
      what: 'a span of that name is gone',
      parameters: { stage: 'retrieval policies' },
      after: changed('7', (span) => {
        span.name = 'other work';
      }),
      findings: [{ code: 'stage-absent', arguments: { stage: '"retrieval policies"', wanted: 1, seen: 0 }, spans: [] }],
    },
  ],
};
