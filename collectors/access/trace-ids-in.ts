import { decodeJaegerObject } from '../../src/trace/jaeger-json.ts';
import { decodeOtlpObject } from '../../src/trace/otlp-json.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';
import { decodeTempoObject } from '../../src/trace/tempo-json.ts';
import { openTempoEnvelope } from '../../src/trace/tempo-protobuf.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import { v3Results } from '../jaeger/jaeger-answers.ts';

const source = 'an answer';

/** Ids of the traces in an answer of Tempo or Jaeger, in any of their forms; none where it holds no trace. */
export function traceIdsIn(answer: Answer): readonly string[] {
  for (const read of readers) {
    try {
      const ids = read(answer).flatMap(({ spans }) => spans.map(({ traceId }) => traceId));
      if (ids.length > 0) return [...new Set(ids)];
    } catch {
      // Not this form.
    }
  }
  return [];
}

const readers: readonly ((answer: Answer) => readonly OtlpBatch[])[] = [
  (answer) => [decodeTempoObject(objectOf(answer), { source }).batch],
  (answer) => v3Results(textOf(answer), source).map((result) => decodeOtlpObject(result, { source })),
  (answer) => [decodeJaegerObject(objectOf(answer), { source })],
  (answer) => [decodeOtlpProtobuf(openTempoEnvelope(answer.body, source).trace, { source })],
  (answer) => [decodeOtlpProtobuf(answer.body, { source })],
];

function objectOf(answer: Answer): Record<string, unknown> {
  const json = jsonOf(answer);
  if (json === undefined) throw new TypeError('no JSON object');
  return json;
}
