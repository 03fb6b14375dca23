import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (...args: string[]) => runCli(['scan', ...args], { cwd: scratch.path, columns: 140 });

const words = 'CANARY my locker code is 4471';
const story = otlpOf([
  { id: '1', name: 'invoke_agent helper', end: 90, attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
  {
    id: '2',
    parent: '1',
    name: 'chat m',
    attributes: { 'gen_ai.input.messages': words, 'app.note': 'a free text of ours' },
  },
  {
    id: '3',
    parent: '1',
    name: 'chat m',
    attributes: { 'gen_ai.input.messages': words, 'http.request.header.x-api-key': ['toy-1'] },
  },
]);
const clean = otlpOf([{ id: '1', name: 'chat m', attributes: { 'gen_ai.operation.name': 'chat' } }]);
const withLog = JSON.stringify({
  ...JSON.parse(clean),
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: [
            { traceId: 'a1'.repeat(16), spanId: 'd0d0d0d0d0d0d0d1', timeUnixNano: '1', body: { stringValue: words } },
          ],
        },
      ],
    },
  ],
});

beforeAll(() => {
  writeFileSync(scratch.file('story.json'), story);
  writeFileSync(scratch.file('clean.json'), clean);
  writeFileSync(scratch.file('log.json'), withLog);
  writeFileSync(scratch.file('canaries.txt'), `# one a line\n${words}\n`);
  const entry = (key: string, expires: string) =>
    `  - { key: ${key}, owner: privacy, reason: reviewed, expires: ${expires} }\n`;
  writeFileSync(
    scratch.file('allow.yaml'),
    `allow:\n${entry('app.*', '2027-01-31')}${entry('gen_ai.input.messages', '2026-11-01')}`,
  );
  writeFileSync(scratch.file('bad.yaml'), 'allow:\n  - { key: app.note, reason: x, expires: 2027-01-31 }\n');
});

test('names the places and quotes nothing', async () => {
  const { code, stdout, stderr } = await run('--input', 'story.json');
  expect(code).toBe(1);
  expect(stdout).toBe(`3 places in 3 spans of 1 trace hold what metadata mode forbids

WHAT        BY          PLACE                                    SPANS  FIRST
credential  secret-key  attribute http.request.header.x-api-key  1      d0d0d0d0d0d0d0d3 in a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1
payload     -           attribute app.note                       1      d0d0d0d0d0d0d0d2 in a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1
payload     -           attribute gen_ai.input.messages          2      d0d0d0d0d0d0d0d2 in a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1
`);
  expect(stdout + stderr).not.toMatch(/locker|toy-1|free text/);
});

test('what is clean exits 0; an empty file 4', async () => {
  expect(await run('--input', 'clean.json')).toMatchObject({
    code: 0,
    stdout: 'nothing found in 1 span of 1 trace (metadata mode)\n',
  });
  writeFileSync(scratch.file('empty.json'), '{"resourceSpans":[]}');
  expect((await run('--input', 'empty.json')).code).toBe(4);
});

test('log records are looked at too', async () => {
  const { code, stdout } = await run('--input', 'log.json');
  expect([code, stdout.split('\n')[0]]).toEqual([
    1,
    '1 place in 1 span of 1 trace and 1 log record hold what metadata mode forbids',
  ]);
  expect(stdout).toContain('log body');
});

test('an allow file lets pass what it names, until it expires', async () => {
  const { code, stdout, stderr } = await run('--input', 'story.json', '--allow', 'allow.yaml', '--json');
  expect(stderr).toBe('otel-eval: the allowance of gen_ai.input.messages by privacy ended on 2026-11-01\n');
  expect(code).toBe(1);
  const { findings, allowed, examined, schema } = JSON.parse(stdout);
  expect(schema).toBe('otel-eval/scan/v1');
  expect(examined).toEqual({ traces: 1, spans: 3, logs: 0 });
  expect(findings.map(({ code: found, place }: { code: string; place: string }) => [found, place])).toEqual([
    ['credential', 'attribute http.request.header.x-api-key'],
    ['payload', 'attribute gen_ai.input.messages'],
  ]);
  expect(allowed).toBe(1);
});

test('an allow file without an owner is refused', async () => {
  const { code, stderr } = await run('--input', 'story.json', '--allow', 'bad.yaml');
  expect(code).toBe(2);
  expect(stderr).toContain('bad.yaml: allow.0.owner');
});

test('canaries from a file are found and not printed', async () => {
  const { stdout } = await run('--input', 'story.json', '--canaries', 'canaries.txt');
  expect(stdout).toMatch(/canary {6}1 {11}attribute gen_ai\.input\.messages +2/);
  expect(stdout).not.toContain('locker');
});

test('canaries are looked for in content mode too', async () => {
  const { code, stdout } = await run('--input', 'story.json', '--mode', 'content', '--canaries', 'canaries.txt');
  expect(code).toBe(1);
  expect(stdout).toMatch(/canary {6}1 {11}attribute gen_ai\.input\.messages +2/);
});

test('a file without a canary is wrong usage', async () => {
  writeFileSync(scratch.file('none.txt'), '# to come\n\n');
  expect(await run('--input', 'story.json', '--canaries', 'none.txt')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'otel-eval: expected canaries in none.txt, one a line, got none\n',
  });
});

test('"nothing found" is not said of a folder with a file that cannot be read', async () => {
  mkdirSync(scratch.file('folder'));
  writeFileSync(scratch.file('folder/a.json'), clean);
  writeFileSync(scratch.file('folder/b.json'), Buffer.from(`\uFEFF${story}`, 'utf16le'));
  const { code, stdout, stderr } = await run('--input', 'folder', '--json');
  expect([code, stdout, stderr.split(';')[0]]).toEqual([
    2,
    '',
    'otel-eval: folder/b.json is text in UTF-16, not in UTF-8',
  ]);
  writeFileSync(scratch.file('folder/b.json'), '');
  const empty = await run('--input', 'folder', '--json');
  expect([empty.code, empty.stderr]).toEqual([0, '1 problem in the input:\n  folder/b.json: it is empty, no trace\n']);
  expect(JSON.parse(empty.stdout).problems).toEqual([
    { input: 'folder/b.json', code: 'empty-input', message: 'it is empty, no trace', at: '' },
  ]);
});

test('"nothing found" is not said where spans of a file were lost', async () => {
  const broken = JSON.parse(clean);
  broken.resourceSpans[0].scopeSpans[0].spans.push({ traceId: 'no id', spanId: '1', name: 'x' });
  writeFileSync(scratch.file('lost.json'), JSON.stringify(broken));
  const { code, stderr } = await run('--input', 'lost.json');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/not all of lost\.json was read: .*: nothing was found in the rest/),
  ]);
});

test('a check of privacy tells of log records that belong to no trace: they are for a scan', async () => {
  const document = JSON.parse(withLog);
  delete document.resourceLogs[0].scopeLogs[0].logRecords[0].traceId;
  writeFileSync(scratch.file('loose.json'), JSON.stringify(document));
  expect((await run('--input', 'loose.json')).code).toBe(1);
  const problems = async (assertion: string) => {
    const args = ['check', '--input', 'loose.json', '--assert', assertion, '--json'];
    return JSON.parse((await runCli(args, { cwd: scratch.path })).stdout).source.problems;
  };
  expect(await problems('TracePrivacyModes')).toEqual({
    count: 1,
    first: [
      {
        input: 'loose.json',
        code: 'logs-of-no-trace',
        message: '1 log record of no trace here, which TracePrivacyModes does not look at; "otel-eval scan" does',
        at: 'logs',
      },
    ],
  });
  expect(await problems('ExecutionTraceJoined')).toEqual({ count: 0, first: [] });
});
