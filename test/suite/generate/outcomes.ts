import { readFileSync } from 'node:fs';
import { readRuns } from '../../../src/agent/run-reader.ts';
import { suiteSource } from '../../../src/suite/generate/suite-source.ts';
import { parseSuite } from '../../../src/suite/parse-suite.ts';
import type { Suite } from '../../../src/suite/suite.ts';
import { parseSuiteText } from '../../../src/suite/suite-text.ts';
import type { LogRecord } from '../../../src/trace/log-record.ts';
import { decodeOtlpJson } from '../../../src/trace/otlp-json.ts';
import type { Span } from '../../../src/trace/span.ts';
import type { CollectedTrace } from '../../../src/trace/trace-set.ts';
import type { CaptureFiles } from './capture-files.ts';
import { generated, judged, registry, tracesOf, type VerdictStatus } from './judged.ts';
import type { Recording } from './mutations/trace-mutation.ts';
import { traceMutations } from './mutations/trace-mutations.ts';

export interface Rows {
  readonly spans: readonly Span[];
  readonly logs: readonly LogRecord[];
}

/** A capture as a file holds it, and its run. */
export interface Recorded {
  readonly rows: Rows;
  readonly traces: readonly CollectedTrace[];
  readonly recording: Recording | undefined;
}

export function readCapture({ files }: CaptureFiles): Recorded {
  const texts = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').trim();
    return file.endsWith('.jsonl') ? text.split('\n') : [text];
  });
  const batches = texts.map((text) => decodeOtlpJson(text));
  const rows = { spans: batches.flatMap(({ spans }) => spans), logs: batches.flatMap(({ logs }) => logs) };
  const traces = tracesOf(rows.spans, rows.logs);
  const [run] = readRuns(traces, { oneRun: isOneRun(traces) });
  const recording = run && { run, spans: run.traces.flatMap((trace) => trace.spans) };
  return { rows, traces, recording };
}

/** Each capture is one run, as its truth says: where it lies in several traces, its recorder says --one-run. */
function isOneRun(traces: readonly CollectedTrace[]): boolean {
  return traces.length > 1;
}

/** The suite of a recording, as it comes back from its file. */
export function suiteOf(name: string, traces: readonly CollectedTrace[]): Suite {
  const { suite: document } = generated(traces, isOneRun(traces));
  if (document === undefined) throw new Error(`${name}: nothing can be asserted of it`);
  const { data } = parseSuiteText(suiteSource(document, 'yaml'), name, 'yaml');
  const { value, problems } = parseSuite(data, registry, { name });
  if (value === undefined) throw new Error(`${name}: ${JSON.stringify(problems)}`);
  return value;
}

/** The mutations that can be made of a recording. */
export function applicable({ recording }: Recorded): Map<string, readonly Span[]> {
  const mutated = Object.entries(traceMutations).map(
    ([name, mutate]) => [name, recording && mutate(recording)] as const,
  );
  return new Map(mutated.flatMap(([name, spans]) => (spans === undefined ? [] : [[name, spans]])));
}

/** What a suite says of a mutation of its recording. */
export async function outcomeOf(suite: Suite, recorded: Recorded, mutation: string): Promise<VerdictStatus> {
  const spans = recorded.recording && traceMutations[mutation]?.(recorded.recording);
  if (spans === undefined) throw new Error(`${mutation}: it cannot be made`);
  return judged(suite, tracesOf(spans, recorded.rows.logs));
}
