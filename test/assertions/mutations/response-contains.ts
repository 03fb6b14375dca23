import { responseContains } from '../../../assertions/response-contains.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { changed, setAttributes } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

export function answering(content: string): SpanSketch[] {
  const output = [{ role: 'assistant', parts: [{ type: 'text', content }] }];
  return changed('6', (span) => setAttributes(span, { 'gen_ai.output.messages': JSON.stringify(output) }));
}

export const responseContainsMutations: MutationTable = {
  assertion: responseContains,
  mutations: [
    {
      what: 'another amount',
      parameters: { text: ['on their way', '40 euros'] },
      after: answering('Your 50 euros are on their way.'),
      findings: [{ code: 'text-missing', arguments: { place: 2, of: 2, characters: 8 }, spans: ['6'] }],
    },
    {
      what: 'a number that only holds the wanted one',
      parameters: { text: '40 euros', wholeWords: true },
      after: answering('Your 140 euros are on their way.'),
      findings: [{ code: 'text-missing', arguments: { place: 1, of: 1, characters: 8 }, spans: ['6'] }],
    },
    {
      what: 'a forbidden text',
      parameters: { without: 'CANNOT', ignoreCase: true },
      after: answering('I cannot refund that.'),
      findings: [{ code: 'text-forbidden', arguments: { place: 1, of: 1, characters: 6 }, spans: ['6'] }],
    },
    {
      what: 'no text at all',
      parameters: { text: '40' },
      after: answering(' '),
      findings: [{ code: 'no-answer', arguments: { finish: null }, spans: ['6'] }],
    },
  ],
};
