import { encodeOtlpJson, encodeOtlpLogsJson } from '../../src/trace/encode-otlp-json.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';
import { lostRowsOf } from '../file/lost-rows.ts';
import type { BodyType, Rejected } from './otlp-answer.ts';

export type Signal = 'traces' | 'logs';

/** A request that was read. */
export interface OtlpRequest {
  readonly batch: OtlpBatch;
  /** What goes into the journal: one line of OTLP/JSON; `undefined` where nothing was in it. */
  readonly line: string | undefined;
  readonly rejected: Rejected | undefined;
}

const source = 'the request';

/** Throws an `OtelEvalError` for a body that is not what its type says. */
export function readRequest(body: Buffer, type: BodyType, signal: Signal): OtlpRequest {
  const batch = decode(body, type, signal);
  const isEmpty = batch.spans.length === 0 && batch.logs.length === 0;
  return { batch, line: isEmpty ? undefined : lineOf(batch), rejected: rejectedOf(batch, signal) };
}

function decode(body: Buffer, type: BodyType, signal: Signal): OtlpBatch {
  if (type === 'application/x-protobuf') return decodeOtlpProtobuf(body, { source, signal });
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  // An empty request is a success.
  return decodeOtlpJson(/^\s*\{\s*\}\s*$/.test(text) ? '{"resourceSpans":[]}' : text, { source });
}

function lineOf({ spans, logs }: OtlpBatch): string {
  if (logs.length === 0) return encodeOtlpJson(spans);
  if (spans.length === 0) return encodeOtlpLogsJson(logs);
  return `${encodeOtlpJson(spans).slice(0, -1)},${encodeOtlpLogsJson(logs).slice(1)}`;
}

function rejectedOf({ problems }: OtlpBatch, signal: Signal): Rejected | undefined {
  const lost = lostRowsOf(problems);
  const [first] = lost.values();
  if (first === undefined) return undefined;
  const name = signal === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
  return { name, rows: lost.size, message: `${first.at}: ${first.message}` };
}
