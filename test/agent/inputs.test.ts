import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRuns } from '../../src/agent/run-reader.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';

function read(name: string) {
  const { spans, logs } = decodeOtlpJson(readFileSync(join(sharedCases ?? '', 'inputs', name), 'utf8'));
  return readRuns(
    [...buildTraces(spans, logs).values()].map((trace) => ({
      trace,
      facts: { remote: false, ended: true, quiet: true, cut: false, losses: [] },
      completeness: { state: 'settled', reasons: [], expectedSpans: null },
    })),
  );
}

const calls = (name: string) =>
  read(name).flatMap(({ toolCalls }) => toolCalls.map((call) => [call.callId ?? call.name, call.outcome]));

describe.skipIf(sharedCases === undefined)(
  `small inputs${sharedCases === undefined ? ` (skipped: ${withoutSharedCases})` : ''}`,
  () => {
    test('failures that are recorded as good', () => {
      expect(Object.fromEntries(calls('tool-01-errors-recorded-as-ok.json'))).toEqual({
        'unset-with-error-type': 'failed',
        'ok-with-jsonrpc-error': 'failed',
        'ok-with-is-error': 'failed',
        'ok-with-exception-event': 'failed',
        'plain-error': 'failed',
      });
    });

    test('words are no failure', () => {
      expect(calls('tool-02-error-words-but-success.json').map(([, outcome]) => outcome)).toEqual([
        'succeeded',
        'succeeded',
        'succeeded',
      ]);
    });

    test('control flow is no failure, and no success', () => {
      expect(Object.fromEntries(calls('tool-03-control-flow-exceptions.json'))).toEqual({
        i1: 'unknown',
        i2: 'failed',
      });
    });

    test('a call on two layers is one', () => {
      expect(calls('dup-04-tool-and-mcp-layers.json')).toEqual([['c1', 'ended']]);
    });

    test('one model call recorded twice is remarked', () => {
      const [run] = read('dup-03-twins-with-new-ids.json');
      expect(run?.modelCalls.length).toBe(1);
      expect(run?.remarks).toEqual([
        'spans d0d0d0d0d0d00002 and d0d0d0d0d0d00016 share a response id: probably one model call recorded twice',
      ]);
    });

    test('a call that was only asked for', () => {
      const [run] = read('join-05-tool-span-missing.json');
      expect(run?.toolCalls.map(({ name, outcome }) => [name, outcome])).toEqual([['get_stock', 'succeeded']]);
      expect(run?.requestedNotRun).toEqual([{ name: 'get_price', callId: 'c2' }]);
    });

    test('orphans still count as calls', () => {
      expect(calls('join-08-parents-filtered.json').length).toBe(2);
    });
  },
);
