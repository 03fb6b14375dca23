import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { type ViewOptions, viewOf } from '../view-builder.ts';

// The answers of EXPECTED.md about being joined, all traces of an input taken as one run.
const joined: readonly [file: string, codes: readonly string[]][] = [
  ['join-01-stream-two-traces', ['several-traces']],
  ['join-05-tool-span-missing', []],
  ['join-06-nested-loop-escapes', []],
  ['join-07-mcp-server-separate', ['several-traces']],
  ['join-08-parents-filtered', ['orphan-span', 'orphan-span']],
  ['join-12-unexported-remote-parent', ['no-root', 'orphan-span']],
  ['join-15-root-never-ended', []],
  ['dup-01-same-span-twice', []],
  ['dup-03-twins-with-new-ids', []],
  ['dup-04-tool-and-mcp-layers', []],
  ['dup-06-pending-span', []],
  ['otlp-10-wrong-length-ids', ['several-roots']],
];

describe.skipIf(sharedCases === undefined)(`shared inputs (${withoutSharedCases} otherwise)`, () => {
  const judge = (file: string, options?: ViewOptions) => {
    const text = readFileSync(join(sharedCases ?? '', 'inputs', `${file}.json`), 'utf8');
    return executionTraceJoined.evaluate(viewOf(text, { runs: { oneRun: true }, ...options }), {
      children: 'reachable',
    });
  };

  test.each(joined)('%s', (file, codes) => {
    const { findings, status } = judge(file);
    expect(findings.map(({ code }) => code)).toEqual(codes.map((code) => `execution-trace-joined/${code}`));
    expect(status).toBe(codes.length > 0 ? 'failed' : 'passed');
  });

  test('join-07: each of the two runs is joined by itself, the two services are not', () => {
    const runs = {};
    expect([0, 1].map((index) => judge('join-07-mcp-server-separate', { runs, index }).status)).toEqual([
      'passed',
      'passed',
    ]);
    const text = readFileSync(join(sharedCases ?? '', 'inputs', 'join-07-mcp-server-separate.json'), 'utf8');
    const services = ['shop-agent', 'files-mcp'];
    const verdict = executionTraceJoined.evaluate(viewOf(text), { children: 'reachable', services });
    expect(verdict.findings.map(({ code, observed }) => [code, observed])).toEqual([
      ['execution-trace-joined/service-missing', 'none; the spans are of "shop-agent"'],
    ]);
  });

  test('join-15: says that the root is not ended', () => {
    expect(judge('join-15-root-never-ended').remarks).toEqual([
      '"LangGraph stream" is not ended, so its duration is unknown',
    ]);
  });
});
