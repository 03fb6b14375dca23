// What the rows measure: the built package.

import { buildTraces } from '../dist/src/trace/build-trace.js';
import { encodeOtlpProtobuf } from '../dist/src/trace/encode-otlp-protobuf.js';
import { decodeOtlpJson } from '../dist/src/trace/otlp-json.js';
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
export function readLines(lines, take) {
  const shared = new SharedStrings();
  for (const line of lines) {
    const { spans, logs } =
      typeof line === 'string'
        ? decodeOtlpJson(line, { shared })
        : decodeOtlpProtobuf(line, { shared, signal: 'traces' });
    take(buildTraces(spans, logs));
  }
}

export function parseLines(texts, take) {
  for (const text of texts) take(JSON.parse(text));
}

export const drop = () => {};
