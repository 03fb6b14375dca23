import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { executionTraceJoined } from '../../assertions/execution-trace-joined.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { type ViewOptions, viewOf } from '../view-builder.ts';

// The answers of EXPECTED.md about being joined. `late-01` and `join-07` hold two runs; see below.
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
    return executionTraceJoined.evaluate(viewOf(text, options), { children: 'reachable' });
  };

  test.each(joined)('%s', (file, codes) => {
    const { findings, status } = judge(file);
    expect(findings.map(({ code }) => code)).toEqual(codes.map((code) => `execution-trace-joined/${code}`));
    expect(status).toBe(codes.length > 0 ? 'failed' : 'passed');
  });
});
