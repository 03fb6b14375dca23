import { expect, test } from 'vitest';
import { agent, runOf, type SmallSpan, tool } from './small-trace.ts';

// One story in every generation of the GenAI conventions: the model asks for a tool, gets its answer, and speaks. The
// second tool call has no span, so that it is told by messages alone.

const first = { id: 'c1', name: 'lookup', arguments: { order: 7 } };
const second = { id: 'c2', name: 'refund', arguments: { order: 7 } };

function model(id: number, more: Partial<SmallSpan>): SmallSpan {
  return {
    id,
    parent: 1,
    name: 'chat toy-1',
    ...more,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'toy-1', ...more.attributes },
  };
}

const part = (call: typeof first) => ({ type: 'tool_call', ...call });
const asks = (finish: string) => [
  { role: 'assistant', parts: [part(first), part(second)], ...(finish === '' ? {} : { finish_reason: finish }) },
];
const history = (key: 'response' | 'result') => [
  { role: 'user', parts: [{ type: 'text', content: 'refund it' }] },
  { role: 'assistant', parts: [part(first), part(second)] },
  {
    role: key === 'result' ? 'user' : 'tool',
    parts: [{ type: 'tool_call_response', id: 'c1', [key]: { paid: true } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c2', [key]: { done: true } }] },
];
const openAiCalls = [first, second].map(({ id, name, arguments: given }) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
}));
const openAiHistory = [
  { role: 'user', content: 'refund it' },
  { role: 'assistant', content: null, tool_calls: openAiCalls },
  { role: 'tool', tool_call_id: 'c1', content: '{"paid":true}' },
  { role: 'tool', tool_call_id: 'c2', content: '{"done":true}' },
];
const flattened: Record<string, unknown> = {
  'gen_ai.completion.0.role': 'assistant',
  'gen_ai.completion.0.finish_reason': 'tool_calls',
};
const flattenedHistory: Record<string, unknown> = {
  'gen_ai.prompt.0.role': 'user',
  'gen_ai.prompt.0.content': 'refund it',
  'gen_ai.prompt.1.role': 'assistant',
};
for (const [i, { id, name, arguments: given }] of [first, second].entries()) {
  for (const [prefix, into] of [
    ['gen_ai.completion.0', flattened],
    ['gen_ai.prompt.1', flattenedHistory],
  ] as const) {
    into[`${prefix}.tool_calls.${i}.id`] = id;
    into[`${prefix}.tool_calls.${i}.name`] = name;
    into[`${prefix}.tool_calls.${i}.arguments`] = JSON.stringify(given);
  }
  // Numbers sort as numbers, and a hole is tolerated.
  flattenedHistory[`gen_ai.prompt.${9 + i}.role`] = 'tool';
  flattenedHistory[`gen_ai.prompt.${9 + i}.tool_call_id`] = id;
  flattenedHistory[`gen_ai.prompt.${9 + i}.content`] = i === 0 ? '{"paid":true}' : '{"done":true}';
}
const details = 'gen_ai.client.inference.operation.details';
const map = (entries: Record<string, unknown>) => new Map(Object.entries(entries)) as never;

const generations: readonly (readonly [string, Partial<SmallSpan>, Partial<SmallSpan>])[] = [
  [
    'v1.26, span events with JSON',
    { events: [{ name: 'gen_ai.content.completion', attributes: { 'gen_ai.completion': openAiHistory.slice(1, 2) } }] },
    { events: [{ name: 'gen_ai.content.prompt', attributes: { 'gen_ai.prompt': openAiHistory } }] },
  ],
  [
    'before v1.28, attributes with JSON',
    { attributes: { 'gen_ai.completion': openAiHistory.slice(1, 2) } },
    { attributes: { 'gen_ai.prompt': openAiHistory } },
  ],
  ['flattened prompts', { attributes: flattened }, { attributes: flattenedHistory }],
  [
    'v1.28 to v1.36, a log record for each message',
    {
      logs: [
        {
          name: 'gen_ai.choice',
          body: map({
            index: 0,
            finish_reason: 'tool_calls',
            message: JSON.stringify({}),
            tool_calls: JSON.stringify(openAiCalls),
          }),
        },
      ],
    },
    {
      logs: [
        { name: 'gen_ai.user.message', body: map({ content: 'refund it' }) },
        { name: 'gen_ai.assistant.message', body: map({ tool_calls: JSON.stringify(openAiCalls) }) },
        { name: 'gen_ai.tool.message', body: map({ id: 'c1', content: '{"paid":true}' }) },
        { name: 'gen_ai.tool.message', body: map({ id: 'c2', content: '{"done":true}' }) },
      ],
    },
  ],
  [
    'v1.37 to v1.41, attributes with JSON and a finish reason in the message',
    { attributes: { 'gen_ai.output.messages': asks('tool_call') } },
    { attributes: { 'gen_ai.input.messages': history('response') } },
  ],
  [
    'v0.1.0, and answers under the key of the registry’s example',
    { attributes: { 'gen_ai.output.messages': asks(''), 'gen_ai.response.finish_reasons': ['tool_call'] } },
    { attributes: { 'gen_ai.input.messages': history('result') } },
  ],
  [
    'the details record, as a log',
    { logs: [{ name: details, attributes: { 'gen_ai.output.messages': JSON.stringify(asks('tool_call')) } }] },
    { logs: [{ name: details, attributes: { 'gen_ai.input.messages': JSON.stringify(history('response')) } }] },
  ],
  [
    'the details record, as a span event',
    { events: [{ name: details, attributes: { 'gen_ai.output.messages': asks('tool_call') } }] },
    { events: [{ name: details, attributes: { 'gen_ai.input.messages': history('response') } }] },
  ],
];

test.each(generations)('%s: the same calls and outcomes', (_, asking, answered) => {
  const run = runOf([
    agent,
    model(2, asking),
    tool(3, 'lookup', { call: 'c1', args: { order: 7 }, result: { paid: true } }),
    model(4, answered),
  ]);
  const calls = [...run.toolCalls].sort((a, b) => (a.callId ?? '').localeCompare(b.callId ?? ''));
  expect(calls.map(({ name, callId, outcome, attempt }) => [name, callId, outcome, attempt])).toEqual([
    ['lookup', 'c1', 'succeeded', 1],
    ['refund', 'c2', 'succeeded', 1],
  ]);
  expect(calls.map((call) => call.arguments())).toEqual([{ order: 7 }, { order: 7 }]);
  expect(
    run.modelCalls[1]
      ?.inputMessages()
      ?.map(({ role, toolResults }) => [role === '' ? 'user' : role, toolResults.length]),
  ).toHaveLength(4);
});

test.each([
  ['array', ['tool_calls']],
  ['JSON text', '["tool_calls"]'],
  ['comma text', 'tool_calls,stop'],
])('finish reasons as %s', (_, value) => {
  const run = runOf([agent, model(2, { attributes: { 'gen_ai.response.finish_reasons': value } })]);
  expect(run.modelCalls[0]?.finish).toBe('tool_calls');
});

test('the finish reason of a message, of a log record and of a span event stand where no attribute does', () => {
  const finishes = [
    { attributes: { 'gen_ai.output.messages': asks('tool_call') } },
    { logs: [{ name: 'gen_ai.choice', body: map({ finish_reason: 'tool_calls' }) }] },
    { events: [{ name: 'gen_ai.choice', attributes: { finish_reason: 'tool_use' } }] },
  ].map((more) => runOf([agent, model(2, more)]).modelCalls[0]?.finish);
  expect(finishes).toEqual(['tool_calls', 'tool_calls', 'tool_calls']);
});

test.each([
  ['v1.27 and later', { input: 'gen_ai.usage.input_tokens', output: 'gen_ai.usage.output_tokens' }],
  ['v1.26', { input: 'gen_ai.usage.prompt_tokens', output: 'gen_ai.usage.completion_tokens' }],
])('usage keys of %s', (_, { input, output }) => {
  const run = runOf([agent, model(2, { attributes: { [input]: 101, [output]: '17' } })]);
  expect(run.modelCalls[0]?.usage).toEqual({ input: 101, output: 17, cachedInput: null, reasoning: null });
});

test('media and reasoning are no text of an answer', () => {
  const parts = [
    { type: 'reasoning', content: 'hm' },
    { type: 'blob', mime_type: 'image/png', modality: 'image', content: 'aGVsbG8=' },
    { type: 'uri', uri: 'https://a.example/x', modality: 'image' },
    { type: 'text', content: 'done' },
  ];
  const run = runOf([agent, model(2, { attributes: { 'gen_ai.output.messages': [{ role: 'assistant', parts }] } })]);
  expect(run.modelCalls[0]?.outputMessages()?.map(({ text }) => text)).toEqual(['done']);
});

test('what the provider ran itself is answered in the same message', () => {
  const parts = [
    { type: 'server_tool_call', id: 's1', name: 'web_search', server_tool_call: { type: 'web_search', query: 'x' } },
    { type: 'server_tool_call_response', id: 's1', server_tool_call_response: { type: 'web_search', hits: 3 } },
    { type: 'text', content: 'found' },
  ];
  const run = runOf([agent, model(2, { attributes: { 'gen_ai.output.messages': [{ role: 'assistant', parts }] } })]);
  expect(run.toolCalls.map(({ name, outcome, spans }) => [name, outcome, spans.length])).toEqual([
    ['web_search', 'succeeded', 0],
  ]);
  expect(run.requestedNotRun).toEqual([]);
});

test('a tool that names its receiver passes control on; one that gets its answer back is a call', () => {
  const transfer = (id: number, mode: string) =>
    tool(id, 'ask_billing', { extra: { 'gen_ai.transfer.target.name': 'billing', 'gen_ai.transfer.mode': mode } });
  const run = runOf([agent, transfer(2, 'pass_control'), transfer(3, 'return_to_caller')]);
  expect(run.handoffs.map(({ from, to }) => [from, to])).toEqual([['helper', 'billing']]);
  expect(run.toolCalls.map(({ name }) => name)).toEqual(['ask_billing']);
});

test('v1.41: an exception as a log record of its span, of a model or of a tool', () => {
  const record = (name: string, type: string) => ({ logs: [{ name, attributes: { 'exception.type': type } }] });
  const run = runOf([
    agent,
    model(2, record('gen_ai.client.operation.exception', 'TimeoutError')),
    { ...tool(3, 'lookup', { result: { paid: true } }), ...record('gen_ai.tool.call.exception', 'TimeoutError') },
    { ...tool(4, 'refund', { result: { done: true } }), ...record('app.exception', 'TimeoutError') },
  ]);
  expect(run.modelCalls.map(({ outcome }) => outcome)).toEqual(['failed']);
  expect(run.toolCalls.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['lookup', 'failed'],
    // What an application logs inside of a tool it may have got over.
    ['refund', 'succeeded'],
  ]);
});
