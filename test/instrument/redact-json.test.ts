import { expect, test } from 'vitest';
import { JsonRedactor } from '../../src/instrument/redact-json.ts';
import { SecretValues } from '../../src/instrument/secret-values.ts';

const none = new SecretValues([], {});
const redactor = (secrets = none) => new JsonRedactor(secrets);

test('a secret under a key goes, whatever it is, and JSON stays JSON', () => {
  const text = JSON.stringify({ a: { password: 'x' }, auth: { raw: 'y', n: 1 }, pin: 4471, max_tokens: 5 });
  expect(JSON.parse(redactor().text(text, 'data'))).toEqual({
    a: { password: '[redacted:secret-key]' },
    auth: { raw: '[redacted:secret-key]', n: 1 },
    pin: '[redacted:secret-key]',
    max_tokens: 5,
  });
});

test('headers as a list of name and value', () => {
  const text = JSON.stringify([
    { name: 'Authorization', value: 'x' },
    { name: 'accept', value: 'y' },
  ]);
  expect(JSON.parse(redactor().text(text, 'data'))).toEqual([
    { name: 'Authorization', value: '[redacted:secret-key]' },
    { name: 'accept', value: 'y' },
  ]);
});

test('JSON inside JSON inside JSON', () => {
  const inner = JSON.stringify({ api_key: 'x', kept: 'y' });
  const text = JSON.stringify({ body: JSON.stringify({ arguments: inner }) });
  const out = JSON.parse(JSON.parse(JSON.parse(redactor().text(text, 'data')).body).arguments);
  expect(out).toEqual({ api_key: '[redacted:secret-key]', kept: 'y' });
});

test('a registered secret, however it is spelled', () => {
  const secret = 'toy/secret/000000000008';
  const secrets = new SecretValues([secret], {});
  const spellings = [
    JSON.stringify([{ parts: [{ content: `key ${secret}` }] }]),
    '[{"content":"key toy\\/secret\\u002f000000000008"}]',
    JSON.stringify(JSON.stringify([{ content: `you said ${secret}` }])),
    `https://h.test/?q=${encodeURIComponent(secret)}`,
    `x ${Buffer.from(secret).toString('base64')} y`,
    `x ${Buffer.from(`ab${secret}cd`).toString('base64')} y`,
    `x ${Buffer.from(secret).toString('hex')} y`,
    'toy\\u002fsecret\\u002f000000000008',
  ];
  for (const text of spellings) {
    const one = redactor(secrets);
    const out = one.text(text, 'data');
    expect(one.redacted, text).toBeGreaterThan(0);
    expect(out).toContain('[redacted:registered]');
    expect(out).not.toContain('000000000008');
  }
});

test('values of environment variables with secret names', () => {
  const secrets = new SecretValues([], {
    MY_API_KEY: 'abcd-efgh-1234',
    HOME: '/home/abcdefgh',
    X_TOKEN: '/run/token/file',
  });
  expect(redactor(secrets).text('it is abcd-efgh-1234 in /home/abcdefgh and /run/token/file', 'data')).toBe(
    'it is [redacted:registered] in /home/abcdefgh and /run/token/file',
  );
});

test('reasoning goes from messages, in every dialect', () => {
  const parts = [
    { type: 'reasoning', content: 'R1' },
    { type: 'thinking', thinking: 'R2', signature: 'R3' },
    { type: 'redacted_thinking', data: 'R4' },
    { text: 'R5', thought: true },
    { type: 'text', content: 'kept <think>R6</think> words' },
    { reasoningContent: { reasoningText: { text: 'R7' } } },
    { type: 'text', text: 'open <think>R8' },
  ];
  const message = { role: 'assistant', reasoning_content: 'R9', reasoning_tokens: 7, parts };
  const one = redactor();
  const out = one.text(JSON.stringify([message]), 'message');
  expect(out).not.toMatch(/R\d/);
  expect(JSON.parse(out)).toEqual([
    {
      role: 'assistant',
      reasoning_tokens: 7,
      parts: [{ type: 'text', content: 'kept  words' }, {}, { type: 'text', text: 'open ' }],
    },
  ]);
});

test('reasoning among the items of a response of the Responses API goes, whatever the list is called', () => {
  const items = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'R1' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'said' }] },
  ];
  for (const key of ['output', 'input', 'response']) {
    const text = JSON.stringify({ id: 'resp_1', object: 'response', [key]: items });
    const safe = redactor().text(text, 'message');
    expect(JSON.parse(safe)[key]).toEqual([items[1]]);
  }
});

test('an argument that is named reasoning is data', () => {
  const message = [
    { role: 'assistant', parts: [{ type: 'tool_call', name: 'plan', arguments: { reasoning: 'kept' } }] },
  ];
  expect(redactor().text(JSON.stringify(message), 'message')).toBe(JSON.stringify(message));
});

test('reasoning in the printed form of an object withholds the text', () => {
  const text = "ChatMessage(_role='assistant', _content=[ReasoningContent(reasoning_text='R1')])";
  expect(redactor().text(text, 'message')).toBe('[withheld:reasoning]');
});

test('what changes nothing is handed back as it was', () => {
  const text = '{ "a": 1.0, "big": 12345678901234567890 }';
  expect(redactor().text(text, 'message')).toBe(text);
});

test('reasoning of a message without a role goes, and nothing else of it', () => {
  const message = { content: 'done', reasoning_content: 'R1', reasoning_details: [{ text: 'R2' }] };
  const given = { response: { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] } };
  const one = redactor();
  expect(JSON.parse(one.text(JSON.stringify(given), 'message'))).toEqual({
    response: { id: 'x', choices: [{ index: 0, message: { content: 'done' }, finish_reason: 'stop' }] },
  });
  expect(one.reasoning).toBe(2);
});
