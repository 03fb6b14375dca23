import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRuns } from '../../../src/agent/run-reader.ts';
import { suiteSource } from '../../../src/suite/generate/suite-source.ts';
import { parseSuite } from '../../../src/suite/parse-suite.ts';
import { parseSuiteText } from '../../../src/suite/suite-text.ts';
import type { LogRecord } from '../../../src/trace/log-record.ts';
import { decodeOtlpJson } from '../../../src/trace/otlp-json.ts';
import type { Span } from '../../../src/trace/span.ts';
import { sharedCases, withoutSharedCases } from '../../shared-cases.ts';
import { type CaptureFiles, captureFiles } from './capture-files.ts';
import { generated, judged, registry, tracesOf } from './judged.ts';
import { traceMutations } from './trace-mutations.ts';

// Every capture in .ci/run; a sample of them elsewhere, which takes a few seconds.
const everyNth = process.env['OTEL_EVAL_ALL_CAPTURES'] === undefined ? 16 : 1;

interface Rows {
  readonly spans: readonly Span[];
  readonly logs: readonly LogRecord[];
}

function rowsOf({ files }: CaptureFiles): Rows {
  const texts = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').trim();
    return file.endsWith('.jsonl') ? text.split('\n') : [text];
  });
  const batches = texts.map((text) => decodeOtlpJson(text));
  return { spans: batches.flatMap(({ spans }) => spans), logs: batches.flatMap(({ logs }) => logs) };
}

type Outcome = 'failed' | 'inconclusive' | 'undecidable' | 'passed' | 'cannot apply';

/** The assertion that tells of a mutation. */
const tellTales: Readonly<Record<string, string>> = {
  'drop a tool span': 'ToolCalled',
  'call a tool a second time': 'ToolCalled',
  'call another tool': 'ToolCalled',
  'swap the order of two tools': 'ToolOrder',
  'fail a call': 'ToolSucceeded',
  'go over a budget': 'WithinBudget',
};

/** What became of the suite of a capture on each mutation of it; `undefined` where nothing could be asserted. */
async function outcomesOf(capture: CaptureFiles): Promise<Record<string, Outcome> | undefined> {
  const { spans: rows, logs } = rowsOf(capture);
  const traces = tracesOf(rows, logs);
  const { suite: document, leftOut } = generated(traces);
  if (document === undefined) return undefined;
  const { value: suite, problems } = parseSuite(
    parseSuiteText(suiteSource(document, 'yaml'), capture.name, 'yaml').data,
    registry,
    { name: capture.name },
  );
  if (suite === undefined) throw new Error(`${capture.name}: ${JSON.stringify(problems)}`);
  expect([capture.name, await judged(suite, traces)]).toEqual([capture.name, 'passed']);
  const [run] = readRuns(traces).sort((a, b) => b.toolCalls.length - a.toolCalls.length);
  if (run === undefined) return undefined;
  // Traces beside the run stay as they are.
  const spans = run.traces.flatMap((trace) => trace.spans);
  const others = traces.flatMap(({ trace }) => (run.traces.includes(trace) ? [] : trace.spans));
  const written = document.scenarios.flatMap(({ assertions }) =>
    assertions.flatMap((each) => (typeof each === 'string' ? [each] : Object.keys(each))),
  );
  const keepsContentIn = written.includes('TracePrivacyModes');
  const joined = written.includes('ExecutionTraceJoined');
  const outcomes: Record<string, Outcome> = {};
  for (const [name, mutate] of Object.entries(traceMutations)) {
    const mutated = mutate({ spans, run, keepsContentIn, joined });
    const outcome =
      mutated === undefined ? 'cannot apply' : await judged(suite, tracesOf([...mutated, ...others], logs));
    // What this capture does not show could not be asserted as strictly as would be needed.
    const isHidden = leftOut.some(
      ({ assertion, why }) => assertion === tellTales[name] && !/^[a-z-]+\/[a-z-]+$/.test(why),
    );
    outcomes[name] = outcome === 'passed' && isHidden ? 'undecidable' : outcome;
  }
  return outcomes;
}

test.skipIf(sharedCases === undefined)(
  `what is generated from a capture passes on it, and on no mutation of it${sharedCases === undefined ? ` (${withoutSharedCases})` : ''}`,
  { timeout: 600_000 },
  async () => {
    const captures = captureFiles(join(sharedCases ?? '', 'captures')).filter(
      ({ name }, i) => i % everyNth === 0 && name.includes(process.env['OTEL_EVAL_CAPTURE'] ?? ''),
    );
    const table: Record<string, Record<Outcome, number>> = {};
    const notCaught: string[] = [];
    const without: string[] = [];
    for (const capture of captures) {
      const outcomes = await outcomesOf(capture);
      if (outcomes === undefined) without.push(capture.name);
      for (const [name, outcome] of Object.entries(outcomes ?? {})) {
        table[name] ??= { failed: 0, inconclusive: 0, undecidable: 0, passed: 0, 'cannot apply': 0 };
        table[name][outcome] += 1;
        if (outcome === 'passed') notCaught.push(`${capture.name}: ${name}`);
      }
    }
    console.table(table);
    console.log(`${captures.length} captures; nothing can be asserted of ${without.length}: ${without.join(', ')}`);
    expect(notCaught).toEqual([]);
  },
);
