import { expect, test } from 'vitest';
import { carriedText, Deliveries } from '../../src/faults/inject/deliveries.ts';

const delivered = (carried: unknown, request: unknown, callId: string | null = 'c1'): boolean => {
  const deliveries = new Deliveries();
  let seen = false;
  deliveries.expect({
    callId: callId ?? undefined,
    text: carriedText({ result: carried }),
    delivered: () => {
      seen = true;
    },
  });
  deliveries.saw(request);
  return seen;
};

const asked = { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{"tags":[]}' } }] };
const openAi = (content: string, id = 'c1') => ({
  tools: [],
  messages: [asked, { role: 'tool', tool_call_id: id, content }],
});
const aiSdk = (value: unknown) => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { tags: [] } }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'find', output: { type: 'json', value } }],
  },
];
const anthropic = (content: string) => ({
  messages: [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: { tags: [] } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
  ],
});
const langChain = (content: string) => [
  { toJSON: () => ({ lc: 1, type: 'constructor', kwargs: { tool_call_id: 'c1', content } }) },
];

test.each<[string, unknown, unknown]>([
  ['OpenAI', openAi('[]'), openAi('[{"at":"14:00"}]')],
  ['AI SDK', aiSdk([]), aiSdk([{ at: '14:00' }])],
  ['Anthropic', anthropic('[]'), anthropic('[{"at":"14:00"}]')],
  ['LangChain', langChain('[]'), langChain('[{"at":"14:00"}]')],
  ['a request in JSON', JSON.stringify(openAi('[]')), JSON.stringify(openAi('[{"at":"14:00"}]'))],
  ['messages in JSON', { body: JSON.stringify(anthropic('[]')) }, { body: JSON.stringify(anthropic('[1]')) }],
])('%s: empty rows are delivered where they answer the call, and not where other rows do', (_, kept, replaced) => {
  expect([delivered([], kept), delivered([], replaced)]).toEqual([true, false]);
});

test('the answer to another call delivers nothing', () => {
  expect(delivered([], openAi('[]', 'c2'))).toBe(false);
});

test('in a form that tells nothing of calls the text and the id decide; without an id the text', () => {
  expect(delivered({ rows: [] }, 'tool c1 said {"rows": []}')).toBe(true);
  expect(delivered({ rows: [] }, 'tool c2 said {"rows": []}')).toBe(false);
  expect(delivered({ rows: [] }, { said: '{"rows": []}' }, null)).toBe(true);
});
