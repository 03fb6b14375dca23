import { WireReader } from './wire-reader.ts';

/** Tempo's v2 answer in protobuf: an OTLP message in an envelope. */
export interface TempoEnvelope {
  /** OTLP `TracesData`; empty where the trace is not there. */
  readonly trace: Uint8Array;
  readonly status: 'COMPLETE' | 'PARTIAL';
  readonly message: string;
}

const traceTag = (1 << 3) | 2;
const statusTag = 3 << 3;
const messageTag = (4 << 3) | 2;

/** Opens the envelope: 1 trace, 2 metrics, 3 status, 4 message. Throws an `OtelEvalError` for bytes that are no protobuf. */
export function openTempoEnvelope(body: Uint8Array, source?: string): TempoEnvelope {
  const reader = new WireReader(body, source);
  const parts: Uint8Array[] = [];
  let status = 0;
  let message = '';
  while (reader.pos < body.length) {
    const tag = reader.tag(body.length);
    if (tag === statusTag) status = reader.number(body.length);
    else if (tag === traceTag || tag === messageTag) {
      const end = reader.fieldEnd(body.length);
      if (tag === traceTag) parts.push(body.subarray(reader.pos, end));
      else message = reader.text(end);
      reader.pos = end;
    } else reader.pass(tag, body.length);
  }
  const [only] = parts;
  // Parts of one message field that comes several times are one message, by the rules of protobuf.
  const trace = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return { trace, status: status === 0 ? 'COMPLETE' : 'PARTIAL', message };
}

/** True where a message has a second field: no message of OTLP for whole requests has one, Tempo's envelope always has. */
export function isTempoEnvelope(message: Uint8Array): boolean {
  const reader = new WireReader(message);
  try {
    while (reader.pos < message.length) {
      const tag = reader.tag(message.length);
      if (tag >>> 3 >= 2 && tag >>> 3 <= 4) return true;
      reader.pass(tag, message.length);
    }
  } catch {
    return false;
  }
  return false;
}
