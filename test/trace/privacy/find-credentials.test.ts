import { expect, test } from 'vitest';
import { findCredentials } from '../../../src/trace/privacy/find-credentials.ts';

const found = (text: string) =>
  findCredentials(text).map(({ rule, start, end }) => `${rule} ${text.slice(start, end)}`);
/** Secrets are put together here, so that none stands in a file. */
const join = (...parts: string[]) => parts.join('');
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5kL7nP9rS1tV3xY5zA7cD9eG1iM';
const hex = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

test.each([
  ['openai-style-key', join('sk-', 'proj-', letters.slice(0, 40))],
  ['openai-style-key', join('sk-', 'ant-api03-', letters, 'AA')],
  ['openai-style-key', join('sk-', 'or-v1-', hex)],
  ['aws-access-key', join('AKIA', 'ABCDEFGHIJKLMNOP')],
  ['aws-access-key', join('ASIA', 'ABCDEFGHIJKLMNOP')],
  ['aws-bedrock-key', join('ABSK', letters, letters)],
  ['google-key', join('AIza', letters.slice(0, 35))],
  ['google-key', join('ya29', '.', letters.slice(0, 30))],
  ['google-key', join('GOCSPX', '-', letters.slice(0, 28))],
  ['azure-secret', join('abc1', 'Q~', letters.slice(0, 32))],
  ['github-token', join('ghp', '_', letters.slice(0, 36))],
  ['github-token', join('github', '_pat_', letters)],
  ['gitlab-token', join('glpat', '-', letters.slice(0, 20))],
  ['slack-token', join('xoxb', '-12345-', letters.slice(0, 24))],
  ['stripe-key', join('sk_', 'live_', letters.slice(0, 24))],
  ['model-vendor-key', join('gsk', '_', letters.slice(0, 52))],
  ['model-vendor-key', join('hf', '_', letters.slice(0, 34))],
  ['model-vendor-key', join('dapi', hex.slice(0, 32))],
  ['service-token', join('npm', '_', letters.slice(0, 36))],
  ['service-token', join('SG', '.', letters.slice(0, 22), '.', letters.slice(0, 43))],
  ['service-token', join('SK', hex.slice(0, 32))],
  ['telegram-token', join('123456789', ':', letters.slice(0, 35))],
  ['jwt', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.', letters.slice(0, 43))],
  ['jwt', join('eyJhbGciOiJub25lIn0', '.eyJzdWIiOiIxMjM0In0', '.')],
])('%s by its shape, in prose and in JSON', (rule, secret) => {
  expect(found(`use ${secret} now`)).toEqual([`${rule} ${secret}`]);
  expect(found(JSON.stringify({ text: `use "${secret}"` }))).toEqual([`${rule} ${secret}`]);
});

test.each([
  ['Authorization: Bearer abc123456', 'authorization Bearer abc123456'],
  ['authorization: Token x1', 'authorization Token x1'],
  ['Cookie: a=b; sid=12345\r\nHost: example.test', 'authorization a=b; sid=12345'],
  ['{"x-api-key": "short"}', 'secret-key short'],
  ['{"api_key": "toy-key-5"}', 'secret-key toy-key-5'],
  ['{"set-cookie":"sid=1"}', 'authorization sid=1'],
  ["{'password': 'hunter2'}", 'secret-key hunter2'],
  ['PASSWORD=hunter', 'secret-key hunter'],
  ['Server=db;Pwd=hunter2;', 'secret-key hunter2'],
  ['my password: hunter2!', 'secret-key hunter2!'],
  ['https://u1:pw-3@host.test/x', 'url-password pw-3'],
  ['postgres://:p@ss@db/x', 'url-password p@ss'],
  ['https://h.test/?key=abc', 'query-parameter abc'],
  ['https://h.test/?a=1&sig=abc%2F', 'query-parameter abc%2F'],
  ['Basic dXNlcjpwYXNz', 'authorization dXNlcjpwYXNz'],
  ['{"password":"a\\"b","x":1}', 'secret-key a\\"b'],
  ['{"password":"never closed', 'secret-key never closed'],
  ['"aws_secret_access_key": "abc/def+ghi"', 'secret-key abc/def+ghi'],
  ['{"redactionToken":"[MaxDepth] hunter2"}', 'secret-key [MaxDepth] hunter2'],
  ['{"redactionToken":"[MaxDepth]]"}', 'secret-key [MaxDepth]]'],
  ['{"redactionToken":"[Circular:hunter2]"}', 'secret-key [Circular:hunter2]'],
  ['{"redactionToken":"[hunter2]"}', 'secret-key [hunter2]'],
  ['{"redactionToken":"MaxDepth"}', 'secret-key MaxDepth'],
  ['{"redactionToken":"[MaxDepth]","password":"hunter2"}', 'secret-key hunter2'],
])('by what stands before it: %s', (text, expected) => {
  expect(found(text)).toEqual([expected]);
});

test('a key in JSON that is escaped once, twice and three times', () => {
  let text = '{"password":"hunter2","other":"kept"}';
  for (let depth = 0; depth < 4; depth++) {
    expect(found(text)).toEqual(['secret-key hunter2']);
    text = JSON.stringify({ inner: text });
  }
});

test('a private key to its end, and to the end of the text where the end is missing', () => {
  const begin = join('-----BEGIN RSA PRIV', 'ATE KEY-----');
  const end = join('-----END RSA PRIV', 'ATE KEY-----');
  expect(found(`x ${begin}\nab+/\ncd\n${end} y`)).toEqual([`private-key ${begin}\nab+/\ncd\n${end}`]);
  expect(found(`${begin}\\nab+/\\ncd`)).toEqual([`private-key ${begin}\\nab+/\\ncd`]);
});

test.each([
  'The password is required, the token economy is fine.',
  '{"max_tokens": 100, "tokens": 5, "token_count": 5, "nextPageToken": "abcdef123"}',
  '{"gen_ai.usage.input_tokens": 12}',
  'the Bearer of bad news, basic usage',
  'const token = getToken();',
  'sk-learn-model-selection-tools-for-everyone',
  'if (password == other) return true',
  'http://localhost:3000/path and mailto:a@b.test',
  'request_id=0af7651916cd43dd8448eb211c80319c',
  '{"api_key":"[REDACTED]","password":"***","secret":""}',
  '{"redactionToken":"[MaxDepth]","password":"[Circular]","secret":"[Function]","api_key":" [max depth] "}',
  JSON.stringify({ config: '{"redactionToken":"[MaxDepth]"}' }),
  'git clone ssh://git@host.test/x',
  'a task-force-1 of 10 people at 10:30:45',
])('no credential: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test('the time grows with the length, whatever is repeated', () => {
  const units = [
    'eyJ-',
    'sk-',
    '"password":"',
    'password=',
    '://a:',
    '\\"token\\":\\"',
    'token :   ',
    '12345678:',
    'Bearer ',
  ];
  const once = (text: string) => {
    // Processor time: what else runs on this machine does not count.
    const start = process.cpuUsage();
    findCredentials(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  for (const unit of units) {
    const text = (length: number) => Buffer.from(unit.repeat(length / unit.length)).toString();
    const [small, large] = [text(40_000), text(320_000)];
    // Eight times the length: quadratic growth would be 64 times the time, on any machine. The fastest of many rounds
    // counts, and it is tried again for as long as something else on this machine is in the way.
    let [fastSmall, fastLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 60; round++) {
      fastSmall = Math.min(fastSmall, once(small));
      fastLarge = Math.min(fastLarge, once(large));
      if (round >= 3 && fastLarge / Math.max(fastSmall, 0.1) < 20) break;
    }
    expect(fastLarge / Math.max(fastSmall, 0.1), unit).toBeLessThan(40);
  }
});
