import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonRedactor } from '../../src/instrument/redact-json.ts';
import { SecretValues } from '../../src/instrument/secret-values.ts';
import { PlainJsonRedactor } from './plain-json-redactor.ts';

/** The same texts each time; another seed looks at others. */
const seed = Number(process.env['FC_SEED'] ?? 20_261_130);

/** Secrets are put together here, so that none stands in a file. */
const key = ['sk-', 'proj-', 'aB3dE5gH7jK9mN1pQ3sT5vW7'].join('');
const words = [
  'user',
  'text',
  '',
  'The order A-1001 did not arrive.',
  `use ${key} now`,
  'Bearer abc123456',
  'password=hunter2',
  '[redacted]',
  'registered-value',
  'I think <think>of it</think> so',
  '<THINKING>open',
  'ChatMessage(content=[ReasoningContent(x)])',
  'line\nbreak "quoted" back\\slash / é 𝄞',
  'rea\\u0073oning',
  '[1, 2',
  '"text"',
];
const names = [
  ...['role', 'content', 'parts', 'type', 'name', 'key', 'value', 'arguments', 'output', 'input', 'response', 'x'],
  ...['reasoning', 'thought', 'thinking', 'reasoning_content', 'reasoning_tokens', 'encrypted_content', 'summary'],
  ...['password', 'pass word', 'api_key', 'Authorization', 'pin', 'max_tokens', '__proto__', '', key, 'message'],
];
const values = ['reasoning', 'thinking', 'summary_text', 'message', 'password', 'Cookie', 'assistant'];

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(...words, ...values, 7, 1234, true, null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.constantFrom(...names), tie('json')), { maxLength: 5 }).map(recordOf),
    tie('json').map((value) => JSON.stringify(value)),
  ),
}));

function recordOf(fields: readonly (readonly [string, unknown])[]): unknown {
  // As a parser makes it: an own field, also under `__proto__`.
  return JSON.parse(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`);
}

const spelled: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('e', '\\u0065'),
  (text) => text.replaceAll('/', '\\/'),
  (text) => ` \n${text} `,
  (text) => text.slice(0, -1),
];

test('what the redactor makes of a text is what its plain definition makes of it', () => {
  const secrets = new SecretValues(['registered-value'], {});
  let changed = 0;
  fc.assert(
    fc.property(json, fc.constantFrom(...spelled), fc.constantFrom('message', 'data'), (value, spell, scope) => {
      const text = spell(JSON.stringify(value));
      const [fast, plain] = [new JsonRedactor(secrets), new PlainJsonRedactor(secrets)];
      const safe = fast.text(text, scope);
      expect(safe).toBe(plain.text(text, scope));
      expect([fast.redacted, fast.reasoning]).toEqual([plain.redacted, plain.reasoning]);
      if (safe !== text) changed++;
    }),
    { seed, numRuns: 2_000 },
  );
  expect(changed).toBeGreaterThan(200);
});

test('of a structure too, and nothing of it is handed on itself', () => {
  const secrets = new SecretValues(['registered-value'], {});
  fc.assert(
    fc.property(json, fc.constantFrom('message', 'data'), (value, scope) => {
      const before = JSON.stringify(value);
      const [fast, plain] = [new JsonRedactor(secrets), new PlainJsonRedactor(secrets)];
      const safe = fast.value(value, scope);
      expect(JSON.stringify(safe)).toBe(JSON.stringify(plain.value(value, scope)));
      expect([fast.redacted, fast.reasoning]).toEqual([plain.redacted, plain.reasoning]);
      expect(objectsIn(safe).filter((object) => objectsIn(value).includes(object))).toEqual([]);
      expect(JSON.stringify(value)).toBe(before);
    }),
    { seed, numRuns: 800 },
  );
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
