import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { Span } from '../../src/trace/span.ts';
import { ReplayServer } from '../collectors/replay-server.ts';
import { tempoAnswer } from '../collectors/tempo-answer.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const folder = scratchFolder();
afterAll(folder.remove);

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const words = 'Where is my order? I live at 9 Elm Row.';
const secret = ['sk', 'proj', 'Ab1'.repeat(12)].join('-');

function spans(stamps = true): Span[] {
  const process = new StampedProcess({ stamps });
  const agent = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'desk',
    'gen_ai.input.messages': words,
  };
  process.start(id(1), { name: 'invoke_agent desk', attributes: agent });
  process.run(id(2), {
    parent: id(1),
    name: 'execute_tool lookup',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'lookup',
      'gen_ai.tool.call.arguments': '{"order_id":"ORD-1001"}',
      'gen_ai.tool.call.result': words,
      'user.note': words,
      'api.key': secret,
    },
  });
  return process.end(id(1)).exported;
}

function file(name: string, ...rows: readonly Span[][]): string {
  const path = folder.file(name);
  writeFileSync(path, rows.map((each) => `${encodeOtlpJson(each)}\n`).join(''));
  return path;
}

const checked = async (input: string, assertion: string, ...more: string[]) =>
  (await runCli(['check', '--input', input, '--assert', assertion, ...more])).code;

describe('redact', () => {
  test('never writes over what it reads', async () => {
    const path = file('only.jsonl', spans());
    const before = readFileSync(path, 'utf8');
    const { code, stderr } = await runCli(['redact', '--input', 'only.jsonl', '--out', path, '--force'], {
      cwd: folder.path,
    });
    expect([code, stderr]).toEqual([
      2,
      `otel-eval: expected another file than the input, got ${path} for both; the recording would be lost: write the copy beside it\n`,
    ]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test('replaces words and secrets, equal ones alike, and keeps the rest', async () => {
    const out = folder.file('copy.jsonl');
    const { code, stdout, stderr } = await runCli(['redact', '--input', file('in.jsonl', spans()), '--out', out]);
    expect([code, stdout, stderr]).toEqual([0, '', `wrote ${out}: 1 trace, 2 spans, 3 texts replaced\n`]);
    const text = readFileSync(out, 'utf8');
    for (const gone of ['Elm Row', 'ORD-1001', secret]) expect(text).not.toContain(gone);
    for (const kept of ['execute_tool lookup', 'desk', id(1), id(2)]) expect(text).toContain(kept);
    const placed = [...text.matchAll(/"key":"(redacted\.[^"]+)","value":\{"stringValue":"(\[redacted \d+\])"/g)];
    const byKey = Object.fromEntries(placed.map(([, key, value]) => [key, value]));
    expect(byKey).toEqual({
      'redacted.gen_ai.input.messages': '[redacted 1]',
      'redacted.gen_ai.tool.call.result': '[redacted 1]',
      'redacted.user.note': '[redacted 1]',
      'redacted.gen_ai.tool.call.arguments': '[redacted 2]',
      'redacted.api.key': '[redacted 3]',
    });
  });

  test('the copy gives the verdicts of the trace, and is clean for scan', async () => {
    const input = file('in.jsonl', spans());
    const out = folder.file('verdicts.jsonl');
    expect((await runCli(['redact', '--input', input, '--out', out])).code).toBe(0);
    expect((await runCli(['scan', '--input', out])).code).toBe(0);
    for (const assertion of ['ExecutionTraceJoined', 'ToolSucceeded={"match":{"tool":"lookup"}}']) {
      const codes = [
        await checked(input, assertion, '--instrumented', 'test'),
        await checked(out, assertion, '--instrumented', 'test'),
      ];
      expect([assertion, ...codes]).toEqual([assertion, 0, 0]);
    }
  });

  test('conflicts and repeats stay what they are', async () => {
    const rows = spans();
    const rewritten = rows.slice(0, 1).map((span) => ({ ...span, name: 'rewritten' }));
    for (const [name, input, exit] of [
      ['repeat', [...rows, ...rows.slice(0, 1)], 0],
      ['conflict', [...rows, ...rewritten], 1],
    ] as const) {
      const path = file(`${name}.jsonl`, [...input]);
      const out = folder.file(`${name}.copy.jsonl`);
      expect((await runCli(['redact', '--input', path, '--out', out])).code).toBe(0);
      const codes = [await checked(path, 'ExecutionTraceJoined'), await checked(out, 'ExecutionTraceJoined')];
      expect([name, ...codes]).toEqual([name, exit, exit]);
    }
  });

  test('a trace of a server stays one: settled decides no absence until that is accepted', async () => {
    server = await ReplayServer.start(() => tempoAnswer(spans(false)));
    const out = folder.file('tempo.jsonl');
    const source = ['--trace-source', 'tempo', '--url', server.url, '--trace-id', '0af7651916cd43dd8448eb211c80319c'];
    expect((await runCli(['redact', ...source, '--settle', '0s', '--out', out])).code).toBe(0);
    const once = 'SpansMatch={"match":{"name":"execute_tool lookup"},"expect":{"exactly":1}}';
    expect([await checked(out, once), await checked(out, once, '--completeness', 'settled')]).toEqual([4, 0]);
  });

  test('what is not whole is not copied: a copy would look whole', async () => {
    server = await ReplayServer.start(() => tempoAnswer(spans(false), { status: 'PARTIAL', message: 'so it is' }));
    const out = folder.file('partial.jsonl');
    const source = ['--trace-source', 'tempo', '--url', server.url, '--trace-id', '0af7651916cd43dd8448eb211c80319c'];
    const partial = await runCli(['redact', ...source, '--settle', '0s', '--deadline', '3s', '--out', out]);
    expect([partial.code, partial.stderr]).toEqual([
      2,
      expect.stringContaining('is partial, and a copy of it would look whole'),
    ]);
    const cut = file('cut.jsonl', spans());
    writeFileSync(cut, readFileSync(cut, 'utf8').slice(0, -40));
    expect((await runCli(['redact', '--input', cut, '--out', out])).code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });

  test('refuses to write where a canary is left, and over a file that is there', async () => {
    const input = file('in.jsonl', spans());
    const out = folder.file('canary.jsonl');
    const canaries = folder.file('canaries.txt');
    writeFileSync(canaries, 'lookup\n');
    const { code, stderr } = await runCli(['redact', '--input', input, '--out', out, '--canaries', canaries]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the copy still holds a canary (')]);
    expect(existsSync(out)).toBe(false);
    writeFileSync(out, 'mine\n');
    expect((await runCli(['redact', '--input', input, '--out', out])).code).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('mine\n');
    expect((await runCli(['redact', '--input', file('none.jsonl', []), '--out', folder.file('none.copy')])).code).toBe(
      4,
    );
  });
});
