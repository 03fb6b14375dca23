import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { Span } from '../../src/trace/span.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { runCli, scratchFolder } from './run-cli.ts';

/** The one function of the package that a suite needs: to compile all of the package takes half a minute. */
const packageSource = resolve(import.meta.dirname, '../../src/suite/define-suite.ts');
const folder = scratchFolder();
afterAll(folder.remove);

const operation = (name: string, more: Record<string, string> = {}) => ({ 'gen_ai.operation.name': name, ...more });

/** An agent that looks up and refunds, so often. */
function run(number: number, { lookups = 1, agent = 'desk', tool = 'issue_refund' } = {}): Span[] {
  const process = new StampedProcess({ processor: `0000000${number}` });
  const attributes = operation('invoke_agent', { 'gen_ai.agent.name': agent });
  process.start(id(1), { name: `invoke_agent ${agent}`, attributes });
  for (let i = 0; i < lookups; i++) process.run(id(2 + i), { parent: id(1), ...called('lookup_order') });
  process.run(id(9), { parent: id(1), ...called(tool) });
  return process.end(id(1)).exported.map((span) => ({ ...span, traceId: String(number).repeat(32) }));
}

function called(tool: string) {
  return { name: `execute_tool ${tool}`, attributes: operation('execute_tool', { 'gen_ai.tool.name': tool }) };
}

/** It died while the run was open: two tool calls below a span that was never exported. */
function died(): Span[] {
  const spans = run(1).filter(({ parentSpanId }) => parentSpanId !== undefined);
  return spans.map((span) => {
    const { attributes } = withoutStamps(span);
    return { ...span, attributes: new Map([...attributes, ['gen_ai.agent.name', 'desk']]) };
  });
}

function below(span: Span, parentSpanId: string): Span {
  return span.parentSpanId === undefined ? span : { ...span, parentSpanId };
}

function withoutStamps(span: Span): Span {
  return { ...span, attributes: new Map([...span.attributes].filter(([key]) => !key.startsWith('otel_eval.'))) };
}

function file(name: string, ...runs: readonly Span[][]): string {
  const path = folder.file(name);
  writeFileSync(path, runs.map((spans) => `${encodeOtlpJson(spans)}\n`).join(''));
  return path;
}

let one = '';
beforeAll(() => {
  one = file('one.jsonl', run(1));
});

const vouched = ['--instrumented', 'test'];
const check = (suite: string, input: string) => runCli(['check', suite, '--input', input, '--json']);
const verdict = async (suite: string, input: string) => (await check(suite, input)).code;

describe('generate', () => {
  test.each(['yaml', 'json', 'ts'])(
    '.%s: passes on what it was made from, and fails on a run that did otherwise',
    async (form) => {
      const suite = folder.file(`desk.suite.${form}`);
      const { code, stdout, stderr } = await runCli(['generate', '--input', one, '--out', suite, ...vouched]);
      expect([code, stdout, stderr.split('\n')[0]]).toEqual([0, '', `wrote ${suite}: 1 scenario, 13 assertions`]);
      // Outside of a project the name of the package means nothing.
      const text = readFileSync(suite, 'utf8').replace("'otel-eval'", JSON.stringify(packageSource));
      writeFileSync(suite, text);
      expect(await verdict(suite, one)).toBe(0);
      expect(await verdict(suite, file('again.jsonl', run(2, { lookups: 2 })))).toBe(1);
      expect(await verdict(suite, file('other.jsonl', run(3, { tool: 'delete_account' })))).toBe(1);
    },
  );

  test('writes YAML to stdout without --out, and the same each time', async () => {
    const first = await runCli(['generate', '--input', one, ...vouched, '--quiet']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('schema: otel-eval/suite/v1');
    expect((await runCli(['generate', '--input', one, ...vouched, '--quiet'])).stdout).toBe(first.stdout);
  });

  test('of several runs: what holds in all of them, agent by agent', async () => {
    const input = file('several.jsonl', run(1), run(2, { lookups: 3 }), run(3, { agent: 'clerk' }));
    const { stdout } = await runCli(['generate', '--input', input, ...vouched, '--quiet']);
    const suite = folder.file('several.yaml');
    writeFileSync(suite, stdout);
    expect(await verdict(suite, input)).toBe(0);
    expect(stdout).toContain('agent: desk');
    expect(stdout).toContain('agent: clerk');
    expect(stdout.replace(/\s+/g, ' ')).toContain('tool: lookup_order expect: atLeast: 1 atMost: 3');
  });

  test('where nobody vouches for the instrumentation it counts spans, not calls, and says what it left out', async () => {
    const { code, stdout, stderr } = await runCli(['generate', '--input', one]);
    expect(code).toBe(0);
    const flat = stdout.replace(/\s+/g, ' ');
    expect(flat).toContain('ToolCalled: match: tool: lookup_order expect: atLeast: 1 ');
    expect(flat).not.toMatch(/ToolCalled: match: (?:\{\}|tool: \w+) expect: exactly/);
    expect(flat).toContain('SpansMatch: match: {} expect: exactly: 1 that: attributes: gen_ai.tool.name: lookup_order');
    expect(stderr).toContain('desk: ToolCalled weakened; ToolOrder left out: this trace shows');
  });

  test('of a program that died below a span: the parent that was never exported is declared', async () => {
    const suite = folder.file('died.yaml');
    const { code, stderr } = await runCli(['generate', '--input', file('died.jsonl', died()), '--out', suite]);
    const text = readFileSync(suite, 'utf8');
    expect([code, stderr.split('\n')[1], text.slice(0, text.indexOf('    assertions:'))]).toEqual([
      0,
      '  desk: one parent is absent, and declared as such (absentParentOf): record again if it was lost on the way',
      `# Generated by otel-eval from recorded traces: read it before you rely on it.
# Counts are those of the runs it was made from: give several good runs to allow what differs between them.
schema: otel-eval/suite/v1
scenarios:
  - name: desk
    # In the recording the parent of these spans is absent: this program never ends it, as where it dies of an error.
    # If it was lost on the way, record again and take these lines out.
    absentParentOf:
      - execute_tool issue_refund
      - execute_tool lookup_order
`,
    ]);
    expect(text).toContain('ExecutionTraceJoined');
    expect(await verdict(suite, folder.file('died.jsonl'))).toBe(0);
    const [first, ...others] = died();
    if (first === undefined) throw new Error('no span');
    for (const [name, spans] of Object.entries({
      another: [...died(), { ...first, spanId: id(7), parentSpanId: id(78) }],
      fewer: others,
      else: [{ ...first, name: 'other' }, ...others],
    })) {
      expect([name, await verdict(suite, file(`${name}.jsonl`, spans))]).toEqual([name, 1]);
    }
    // Without the declaration nothing exact is decided of it.
    writeFileSync(suite, text.replace(/ {4}absentParentOf:\n(?: {6}- .*\n)+/, ''));
    expect(await verdict(suite, folder.file('died.jsonl'))).toBe(1);
  });

  test('of a service below a traced caller: root: remote, in TypeScript too', async () => {
    const called = run(1).map((span) => ({ ...withoutStamps(span), parentSpanId: span.parentSpanId ?? id(77) }));
    const suite = folder.file('called.suite.ts');
    const { stderr } = await runCli(['generate', '--input', file('called.jsonl', called), '--out', suite]);
    expect(stderr).toContain('desk: one parent is absent, and declared as such (root: remote): record again if it');
    expect(readFileSync(suite, 'utf8').replace("'otel-eval'", JSON.stringify(packageSource))).toContain(`
      name: 'desk',
      // In the recording the parent of the top span is absent: it belongs to a caller outside of this program, or this
      // program never ended it. If it was lost on the way, record again and take this line out.
      root: 'remote',
      assertions: [`);
  });

  test('where several parents are absent, a part is cut off, or a name is content, nothing is declared', async () => {
    const [first, ...others] = died();
    if (first === undefined) throw new Error('no span');
    // Its receipt counts the span that is absent.
    const short = run(1).flatMap((span) => (span.spanId === id(2) ? [] : [below(span, id(2))]));
    const words = { ...first, name: 'Please refund my order, I live at 9 Elm Row.\nThank you' };
    for (const [name, spans] of Object.entries({
      several: [{ ...first, parentSpanId: id(78) }, ...others],
      words: [words, ...others],
      short,
    })) {
      const { stdout, stderr } = await runCli(['generate', '--input', file(`${name}.jsonl`, spans)]);
      expect([name, stdout.includes('absentParentOf'), stdout.includes('root:')]).toEqual([name, false, false]);
      expect([name, stdout.includes('exactly')]).toEqual([name, false]);
      // One reason for many assertions is one line.
      const why = stderr.split('\n').filter((line) => line.includes(' lost spans ') || line.includes(' lacks spans '));
      expect([name, why.length]).toEqual([name, 1]);
    }
  });

  test('a span without an end is no absent parent: nothing is declared, and the suite is valid', async () => {
    // Without receipts, which would call the trace short.
    const agent = new StampedProcess({ stamps: false });
    agent.start(id(1), { name: 'invoke_agent desk', attributes: operation('invoke_agent') });
    const [tool] = agent.run(id(2), { parent: id(1), ...called('lookup_order') }).exported;
    if (tool === undefined) throw new Error('no span');
    const { endUnixNano: _, ...open } = tool;
    const never = [open, ...agent.end(id(1)).exported.filter(({ spanId }) => spanId === id(1))];
    const suite = folder.file('open.suite.yaml');
    const { code } = await runCli(['generate', '--input', file('open.jsonl', never as Span[]), '--out', suite]);
    expect([code, readFileSync(suite, 'utf8').includes('absentParentOf')]).toEqual([0, false]);
    expect((await runCli(['validate', suite])).code).toBe(0);
  });

  test('writes no name that is content', async () => {
    const words = 'Please refund my order, I live at 9 Elm Row.\nThank you';
    const { code, stdout, stderr } = await runCli([
      'generate',
      '--input',
      file('words.jsonl', run(1, { tool: words, agent: words })),
      ...vouched,
    ]);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('Elm Row');
  });

  test('leaves a file that is there, and leaves none behind where it writes none', async () => {
    const suite = folder.file('kept.yaml');
    writeFileSync(suite, 'mine\n');
    const kept = await runCli(['generate', '--input', one, '--out', suite]);
    expect([kept.code, kept.stderr, readFileSync(suite, 'utf8')]).toEqual([
      2,
      `otel-eval: ${suite} is already here and was left as it is; --force replaces it\n`,
      'mine\n',
    ]);
    expect((await runCli(['generate', '--input', one, '--out', suite, '--force', '--quiet'])).code).toBe(0);
    for (const [input, out, exit] of [
      [file('empty.jsonl', []), 'empty.yaml', 4],
      [file('cut.jsonl', run(1)), 'cut.yaml', 2],
      [one, 'suite.txt', 2],
    ] as const) {
      if (out === 'cut.yaml') writeFileSync(input, readFileSync(input, 'utf8').slice(0, -40));
      const { code } = await runCli(['generate', '--input', input, '--out', folder.file(out)]);
      expect([out, code, existsSync(folder.file(out))]).toEqual([out, exit, false]);
    }
  });
});
