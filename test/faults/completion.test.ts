import { expect, test } from 'vitest';
import { recoveredUnattended } from '../../assertions/recovered-unattended.ts';
import { responseContains } from '../../assertions/response-contains.ts';
import { ticketStory, unattended } from '../assertions/mutations/recovered-unattended.ts';
import { viewOf } from '../view-builder.ts';

// R3-02: two tools that differ in what they say when they refuse a call, and in nothing else. One names the field, so that the
// model corrects it at once; the other says "error", and the model gropes.
const call = (status: string, result: object) => ({ arguments: { id: 'T-8841', status }, result });
const named = ticketStory({
  tries: [call('Closed', { error: 'status: expected open or closed' }), call('closed', { ok: true })],
});
const vague = ticketStory({
  tries: [
    ...['Closed', 'CLOSED', 'close', 'done', 'resolved'].map((word) => call(word, { error: 'error' })),
    call('closed', { ok: true }),
  ],
});

test('R3-02: completion does not tell the two apart, attempts do', () => {
  const completed = [named, vague].map((story) => {
    const parameters = responseContains.parameters.parse({ text: 'T-8841 is closed.' });
    return responseContains.evaluate(viewOf(story), parameters).status;
  });
  expect(completed).toEqual(['passed', 'passed']);
  const recovered = [named, vague].map((story) => {
    const { status, facts } = recoveredUnattended.evaluate(
      viewOf(story),
      recoveredUnattended.parameters.parse(unattended),
    );
    return [status, facts?.['attempts']];
  });
  expect(recovered).toEqual([
    ['passed', 2],
    ['failed', 6],
  ]);
});
