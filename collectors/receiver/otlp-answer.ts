/** The two types of body that OTLP/HTTP has; an answer comes in the type of its request. */
export type BodyType = 'application/json' | 'application/x-protobuf';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** 200, with the number of rows that were not taken where there are such. */
export function accepted(type: BodyType, rejected: Rejected | undefined): Answer {
  return answer(200, type, type === 'application/json' ? acceptedJson(rejected) : acceptedProtobuf(rejected));
}

export interface Rejected {
  /** `rejectedSpans` or `rejectedLogRecords`. */
  readonly name: string;
  readonly rows: number;
  readonly message: string;
}

function acceptedJson(rejected: Rejected | undefined): Uint8Array {
  if (rejected === undefined) return Buffer.from('{}');
  const { name, rows, message } = rejected;
  return Buffer.from(JSON.stringify({ partialSuccess: { [name]: String(rows), errorMessage: message } }));
}

/** `ExportTraceServiceResponse` and its like for logs: 1 partialSuccess { 1 rejected rows, 2 errorMessage }. */
function acceptedProtobuf(rejected: Rejected | undefined): Uint8Array {
  if (rejected === undefined) return new Uint8Array(0);
  return field(1, Buffer.concat([number(1, rejected.rows), field(2, Buffer.from(rejected.message))]));
}

/** The numbers of google.rpc.Code for the statuses that are given here. */
const rpcCodes: Readonly<Record<number, number>> = { 400: 3, 404: 5, 405: 12, 413: 8, 415: 3, 500: 13, 503: 14 };

/** A `google.rpc.Status`: 1 code, 2 message. */
export function refused(status: number, type: BodyType, message: string): Answer {
  const code = rpcCodes[status] ?? 2;
  const body =
    type === 'application/json'
      ? Buffer.from(JSON.stringify({ code, message }))
      : Buffer.concat([number(1, code), field(2, Buffer.from(message))]);
  const extra: Record<number, Record<string, string>> = { 405: { allow: 'POST' }, 503: { 'retry-after': '1' } };
  const { headers, ...rest } = answer(status, type, body);
  return { ...rest, headers: { ...headers, ...extra[status] } };
}

function answer(status: number, type: BodyType, body: Uint8Array): Answer {
  return { status, body, headers: { 'content-type': type, 'content-length': String(body.length) } };
}

function number(tag: number, value: number): Uint8Array {
  return Buffer.from([tag << 3, ...varint(value)]);
}

function field(tag: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([(tag << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
