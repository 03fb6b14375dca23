import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/report/report-schema.ts';
import { otlpOf, type SpanSketch, traceId } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (args: readonly string[], options = {}) => runCli(args, { cwd: scratch.path, ...options });

const joined: SpanSketch[] = [
  { id: '1', name: 'invoke_agent refund', end: 100, attributes: { 'gen_ai.operation.name': 'invoke_agent' } },
  { id: '2', parent: '1', name: 'chat', start: 5, end: 50 },
];
const orphaned: SpanSketch[] = [joined[0]!, { ...joined[1]!, parent: 'f' }];

beforeAll(() => {
  writeFileSync(scratch.file('joined.json'), otlpOf(joined));
  writeFileSync(scratch.file('orphaned.json'), otlpOf(orphaned));
  writeFileSync(scratch.file('empty.json'), '{"resourceSpans":[]}');
  writeFileSync(
    scratch.file('two.jsonl'),
    `${otlpOf(joined)}\n${otlpOf(joined.map((span) => ({ ...span, trace: 'b2', service: 'billing' })))}\n`,
  );
  writeFileSync(
    scratch.file('suite.yaml'),
    `schema: otel-eval/suite/v1
traces: { input: joined.json }
scenarios:
  - name: is joined
    select: { service: order-support }
    assertions: [ExecutionTraceJoined]
`,
  );
});

const joins = ['--assert', 'ExecutionTraceJoined'];

describe('the exit code tells', () => {
  test.each([
    ['passed', 0, 'joined.json'],
    ['failed', 1, 'orphaned.json'],
    ['inconclusive: nothing there', 4, 'empty.json'],
    ['error: no such file', 2, 'absent.json'],
  ])('%s', async (_, code, input) => {
    expect((await run(['check', '--input', input, ...joins])).code).toBe(code);
  });

  test('that nothing was selected', async () => {
    const { code, stdout } = await run(['check', 'suite.yaml', '--input', 'two.jsonl', '--service', 'nobody'], {
      columns: 120,
    });
    expect(code).toBe(4);
    expect(stdout).toContain(
      'expected at least one run with service nobody and service order-support, got none: 2 traces were read',
    );
    expect(stdout).toContain('not judged: 2 traces, 4 spans');
  });

  test('failed before inconclusive', async () => {
    const suite = `schema: otel-eval/suite/v1
scenarios:
  - { name: nobody, select: { service: nobody }, assertions: [ExecutionTraceJoined] }
  - { name: somebody, assertions: [ExecutionTraceJoined] }
`;
    writeFileSync(scratch.file('mixed.yaml'), suite);
    const { code, stdout } = await run(['check', 'mixed.yaml', '--input', 'orphaned.json']);
    expect(code).toBe(1);
    expect(stdout).toContain('failed: 0/2 scenarios passed, 1 failed, 1 inconclusive; 0 packs not applicable');
  });
});

describe('a check', () => {
  test('reads the defaults of the flags from the suite, with paths from where it stands', async () => {
    const { code, stdout, stderr } = await run(['check', 'suite.yaml']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`✓ suite › is joined   1 run
  ✓ ExecutionTraceJoined  2 spans examined

✓ passed: 1/1 scenarios passed; 0 packs not applicable
`);
    mkdirSync(scratch.file('elsewhere'), { recursive: true });
    expect((await runCli(['check', '../suite.yaml'], { cwd: scratch.file('elsewhere') })).code).toBe(0);
  });

  test('judges every selected run as a trial, in order of start, and counts what nobody judged', async () => {
    const { code, stdout } = await run(['check', 'suite.yaml', '--input', 'two.jsonl', '--json', '--deterministic']);
    const report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report.scenarios[0].trials.map((trial: { index: number; traceIds: string[] }) => trial)).toMatchObject([
      { index: 1, traceIds: [traceId('a1')], status: 'passed' },
    ]);
    expect(report.source).toMatchObject({
      kind: 'file',
      fetched: { traces: 2, spans: 4 },
      unselected: { traces: 1, spans: 2 },
      unselectedTraces: [{ traceId: traceId('b2'), topSpanNames: ['invoke_agent refund'] }],
      completeness: { settled: 1 },
    });
    const both = JSON.parse((await run(['check', '--input', 'two.jsonl', ...joins, '--json'])).stdout);
    expect(both.scenarios[0].trials).toHaveLength(2);
    expect(both.source.unselected).toEqual({ traces: 0, spans: 0 });
  });

  test('by trace id judges that trace, and mentions the others', async () => {
    const { code, stdout } = await run(['check', '--input', 'two.jsonl', ...joins, '--trace-id', traceId('b2')]);
    expect(code).toBe(0);
    expect(stdout).toContain(`not judged: 1 trace, 2 spans\n  ${traceId('a1')}  invoke_agent refund\n`);
    const absent = await run(['check', '--input', 'two.jsonl', ...joins, '--trace-id', 'f'.repeat(32)]);
    expect(absent.code).toBe(4);
  });

  test('keeps the traces of one run together, whichever of them was asked for', async () => {
    const attributes = { 'otel_eval.run.id': 'run-1' };
    const spans = [
      { ...joined[0]!, attributes },
      { ...joined[0]!, trace: 'b2', attributes },
    ];
    writeFileSync(scratch.file('one-run.json'), otlpOf(spans));
    const args = ['check', '--input', 'one-run.json', ...joins, '--trace-id', traceId('b2'), '--json'];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    expect(
      JSON.parse(stdout).scenarios[0].trials[0].assertions[0].findings.map((f: { code: string }) => f.code),
    ).toContain('execution-trace-joined/several-traces');
  });

  test('takes everything as one run at the user’s word', async () => {
    const { code } = await run(['check', '--input', 'two.jsonl', ...joins, '--one-run']);
    expect(code).toBe(1);
  });

  test('reads standard input', async () => {
    expect((await run(['check', '--input', '-', ...joins], { stdin: otlpOf(joined) })).code).toBe(0);
  });

  test('is not green where rows could not be read', async () => {
    const broken = JSON.parse(otlpOf(joined));
    broken.resourceSpans.push({ scopeSpans: [{ spans: [{ traceId: 'zz', spanId: 'zz', name: 'x' }] }] });
    writeFileSync(scratch.file('unreadable.json'), JSON.stringify(broken));
    const { code, stdout } = await run(['check', '--input', 'unreadable.json', ...joins, '--json']);
    const report = JSON.parse(stdout);
    expect(code).toBe(4);
    expect(report.scenarios[0]).toMatchObject({
      status: 'inconclusive',
      trials: [{ assertions: [{ status: 'inconclusive', missing: [{ kind: 'completeness' }] }] }],
    });
  });

  test('adds the assertions of the command line to a suite, and takes parameters', async () => {
    const spans = 'SpansMatch={"match":{"name":"chat"},"expect":{"exactly":1}}';
    const { code, stdout } = await run(['check', 'suite.yaml', '--assert', spans]);
    expect(code).toBe(0);
    expect(stdout).toContain('suite › command line   1 run\n  ✓ SpansMatch  ');
    const wrong = await run(['check', '--input', 'joined.json', '--assert', spans.replace('1}', '2}')]);
    expect(wrong.code).toBe(1);
  });

  test('takes only the scenarios that were named', async () => {
    const { code, stderr } = await run(['check', 'suite.yaml', '--scenario', 'is jioned']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'otel-eval: the suite has no scenario "is jioned"; it has "is joined"\n',
    });
    expect((await run(['check', 'suite.yaml', '--scenario', 'is joined'])).code).toBe(0);
  });

  test('takes flags before environment before suite before configuration', async () => {
    const folder = scratch.file('configured');
    mkdirSync(`${folder}/deeper`, { recursive: true });
    writeFileSync(`${folder}/otel-eval.config.yaml`, 'traces: { input: ../orphaned.json }\njunit: out.xml\n');
    const config = (env = {}, flags: string[] = []) =>
      runCli(['check', ...flags, ...joins], { cwd: `${folder}/deeper`, env });
    expect((await config()).code).toBe(1);
    expect(existsSync(`${folder}/out.xml`)).toBe(true);
    expect((await config({ OTEL_EVAL_INPUT: '../../joined.json' })).code).toBe(0);
    expect((await config({ OTEL_EVAL_INPUT: '../../joined.json' }, ['--input', '../../empty.json'])).code).toBe(4);
    expect((await config({}, ['../../suite.yaml'])).code).toBe(0);
  });

  test('judges spans that a TypeScript suite brings along', async () => {
    const suite = `
      const traceId = '${'c3'.repeat(16)}';
      const context = (spanId: string) => ({ traceId, spanId, traceFlags: 1 });
      const span = (spanId: string, parent?: string) => ({
        name: 'span ' + spanId, kind: 0, spanContext: () => context(spanId), ended: true, status: { code: 0 },
        parentSpanContext: parent === undefined ? undefined : context(parent), attributes: {}, links: [], events: [],
        startTime: [1760000000, 0], endTime: [1760000001, 0], resource: { attributes: { 'service.name': 'mine' } },
        instrumentationScope: { name: 'test' },
      });
      export default {
        schema: 'otel-eval/suite/v1',
        traces: { source: 'memory', spans: async () => [span('${'d'.repeat(16)}'), span('${'e'.repeat(16)}', '${'d'.repeat(16)}')] },
        scenarios: [{ name: 'own spans', select: { service: 'mine' }, assertions: ['ExecutionTraceJoined'] }],
      };`;
    writeFileSync(scratch.file('memory.suite.ts'), suite);
    const { code, stdout, stderr } = await run(['check', 'memory.suite.ts']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('✓ memory › own spans   1 run\n  ✓ ExecutionTraceJoined  2 spans examined');
  });
});

describe('reports', () => {
  test('as JSON on stdout stand there alone, and follow the published schema', async () => {
    const { stdout, stderr } = await run(['check', '--input', 'orphaned.json', ...joins, '--json']);
    expect(stderr).toBe('');
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report).toMatchObject({ suite: null, status: 'failed', exitCode: 1, startedAt: '2026-11-30T12:00:00.000Z' });
  });

  test('are the same bytes on every run', async () => {
    const args = ['check', '--input', 'two.jsonl', '--input', 'orphaned.json', ...joins, '--json', '--deterministic'];
    const [first, second] = [await run(args), await run(args)];
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout).not.toMatch(/startedAt|durationMs/);
  });

  test('go to files, in folders that did not exist, while the terminal still tells', async () => {
    const args = ['--json', 'out/deep/report.json', '--junit', 'out/junit.xml'];
    const { code, stdout } = await run(['check', 'suite.yaml', ...args]);
    expect(code).toBe(0);
    expect(stdout).toContain('passed: 1/1 scenarios passed');
    expect(JSON.parse(readFileSync(scratch.file('out/deep/report.json'), 'utf8')).status).toBe('passed');
    expect(readFileSync(scratch.file('out/junit.xml'), 'utf8')).toContain('<testsuites name="suite" tests="1"');
    expect(readdirSync(scratch.file('out')).sort()).toEqual(['deep', 'junit.xml']);
  });

  test('of hostile names are XML that a strict parser reads, with the failure still to be recognised', async () => {
    const input = join(import.meta.dirname, '../../fixtures/inputs/report-01-hostile-text.json');
    const args = ['check', '--input', input, '--assert', 'ToolSucceeded', '--junit', 'hostile.xml'];
    expect((await run(args)).code).toBe(1);
    const xml = readFileSync(scratch.file('hostile.xml'), 'utf8');
    const parser = new SaxesParser();
    const types: string[] = [];
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      if (name === 'failure') types.push(String(attributes['type']));
    });
    parser.write(xml).close();
    expect(types).toEqual(['tool-succeeded/failed-calls']);
    expect(xml).toContain('execute_tool \uFFFD[31mred\uFFFD[0m');
  });

  test('are not written over a suite that stands behind --json', async () => {
    const before = readFileSync(scratch.file('suite.yaml'), 'utf8');
    const { code, stdout } = await run(['check', '--json', 'suite.yaml']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).suite).toBe('suite');
    expect(readFileSync(scratch.file('suite.yaml'), 'utf8')).toBe(before);
    writeFileSync(
      scratch.file('own.json'),
      JSON.stringify({
        schema: 'otel-eval/suite/v1',
        traces: { input: 'joined.json' },
        scenarios: [{ name: 'a', assertions: ['ExecutionTraceJoined'] }],
      }),
    );
    expect(JSON.parse((await run(['check', '--json', 'own.json'])).stdout).suite).toBe('own');
  });

  test('that cannot be written are refused before anything is judged, and leave nothing behind', async () => {
    writeFileSync(scratch.file('a-file'), '');
    const args = ['check', '--input', 'joined.json', ...joins, '--junit', 'first.xml', '--json', 'a-file/report.json'];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'otel-eval: cannot write a-file/report.json: a part of the path is not a directory\n',
    });
    expect(existsSync(scratch.file('first.xml'))).toBe(false);
    expect(readdirSync(scratch.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('of a check that could not look say so, whole', async () => {
    writeFileSync(scratch.file('junk.bin'), Buffer.from([0, 1, 2, 255, 254]));
    const args = ['check', '--input', 'junk.bin', ...joins, '--json', 'error.json', '--junit', 'error.xml'];
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    const report = reportSchema.parse(JSON.parse(readFileSync(scratch.file('error.json'), 'utf8')));
    expect(report).toMatchObject({
      status: 'error',
      exitCode: 2,
      scenarios: [{ status: 'error', trials: [] }],
      error: { code: 'OTEL_EVAL_NOT_A_TRACE' },
    });
    expect(readFileSync(scratch.file('error.xml'), 'utf8')).toContain('errors="2"');
  });
});
