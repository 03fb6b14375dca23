// What the rows measure: the built package.

import { executionTraceJoined } from '../dist/assertions/execution-trace-joined.js';
import { spansMatch } from '../dist/assertions/spans-match.js';
import { toolCalled } from '../dist/assertions/tool-called.js';
import { toolSucceeded } from '../dist/assertions/tool-succeeded.js';
import { withinBudget } from '../dist/assertions/within-budget.js';
import { createRunReader } from '../dist/src/agent/run-reader.js';
import { evaluateAssertion } from '../dist/src/suite/judge/evaluate-assertion.js';
import { buildTraces } from '../dist/src/trace/build-trace.js';
import { completenessOf } from '../dist/src/trace/completeness-of.js';
import { encodeOtlpProtobuf } from '../dist/src/trace/encode-otlp-protobuf.js';
import { decodeOtlpJson, parseOtlpJson } from '../dist/src/trace/otlp-json.js';
import { decodeOtlpProtobuf } from '../dist/src/trace/otlp-protobuf.js';
import { SharedStrings } from '../dist/src/trace/otlp-reading.js';
import { lines as generated } from './generated-spans.mjs';

/** Lines as a reader of a file gets them: flat texts. */
export function textLines(count, spans) {
  return [...generated(count, spans)].map((line) => Buffer.from(line).toString('utf8'));
}

/** The same spans as messages. */
export function messages(texts) {
  return texts.map((text) => encodeOtlpProtobuf(decodeOtlpJson(text).spans));
}

/** Reads texts or messages line by line and builds the traces of each line; `take` gets them. */
export function readLines(lines, take, decodeText = decodeOtlpJson) {
  const shared = new SharedStrings();
  for (const line of lines) {
    const { spans, logs } =
      typeof line === 'string' ? decodeText(line, { shared }) : decodeOtlpProtobuf(line, { shared, signal: 'traces' });
    take(buildTraces(spans, logs));
  }
}

/** The same by way of `JSON.parse`, which is for any text, and not only for the usual one. */
export function readParsedLines(lines, take) {
  readLines(lines, take, parseOtlpJson);
}

export function parseLines(texts, take) {
  for (const text of texts) take(JSON.parse(text));
}

export const drop = () => {};

const facts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };
const uses = [
  [executionTraceJoined, {}],
  [toolCalled, { match: { tool: 'issue_refund' }, expect: { atLeast: 1 } }],
  [toolSucceeded, { match: { tool: 'lookup_order' } }],
  [spansMatch, { match: { name: 'chat gpt-5-mini' }, expect: { every: { status: { not: 'error' } } } }],
  [withinBudget, { spans: { max: 1000, source: 'bench' }, totalTokens: { max: 10_000_000, source: 'bench' } }],
].map(([assertion, parameters]) => ({ assertion, parameters: assertion.parameters.parse(parameters) }));

/** Reads lines to verdicts of five assertions, trace by trace; `keep` gets each run and its verdicts. */
export function judgeLines(lines, keep, read = readLines) {
  const reader = createRunReader({ instrumented: ['@example/agent'] });
  const source = { kind: 'file', acceptsSettled: false, beforeDeadline: false };
  read(lines, (traces) => {
    const group = [...traces.values()].map((trace) => ({ trace, facts, completeness: completenessOf(trace, facts) }));
    for (const run of reader.add(group)) {
      const view = { run, traces: group, source, remoteRoot: false, digest: () => null, unselected: [] };
      keep({ run, outcomes: uses.map((use) => evaluateAssertion(use, view)) });
    }
  });
  if (reader.end().length > 0) throw new Error('a trace was not judged on its own');
}
