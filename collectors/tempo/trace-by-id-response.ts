import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

/** Tempo's v2 answer: an OTLP message in an envelope. */
export interface TraceByIdResponse {
  /** OTLP `TracesData`; empty where the trace is not there. */
  readonly trace: Uint8Array;
  readonly status: 'COMPLETE' | 'PARTIAL';
  readonly message: string;
}

/** Opens the protobuf envelope: 1 trace, 2 metrics, 3 status, 4 message. */
export function readTraceByIdResponse(body: Uint8Array, source: string): TraceByIdResponse {
  const reader = new WireReader(body, source);
  const parts: Uint8Array[] = [];
  let status = 0;
  let message = '';
  while (!reader.atEnd) {
    const { field, bytes, value } = reader.member();
    if (field === 1 && bytes !== undefined) parts.push(bytes);
    if (field === 3 && value !== undefined) status = value;
    if (field === 4 && bytes !== undefined) message = new TextDecoder().decode(bytes);
  }
  const [only] = parts;
  // Parts of one message field that comes several times are one message, by the rules of protobuf.
  const trace = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return { trace, status: status === 0 ? 'COMPLETE' : 'PARTIAL', message };
}

interface Member {
  readonly field: number;
  readonly bytes?: Uint8Array;
  readonly value?: number;
}

class WireReader {
  readonly #body: Uint8Array;
  readonly #source: string;
  #position = 0;

  constructor(body: Uint8Array, source: string) {
    this.#body = body;
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#position >= this.#body.length;
  }

  member(): Member {
    const tag = this.#varint();
    const field = Math.floor(tag / 8);
    if (tag % 8 === 2) return { field, bytes: this.#bytes() };
    if (tag % 8 === 0) return { field, value: this.#varint() };
    this.#skip(tag % 8);
    return { field };
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#body[this.#position++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw this.#broken();
  }

  #bytes(): Uint8Array {
    const length = this.#varint();
    const end = this.#position + length;
    if (end > this.#body.length) throw this.#broken();
    const bytes = this.#body.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }

  #skip(wireType: number): void {
    const width = wireType === 1 ? 8 : wireType === 5 ? 4 : undefined;
    if (width === undefined) throw this.#broken();
    this.#position += width;
    if (this.#position > this.#body.length) throw this.#broken();
  }

  #broken(): OtelEvalError {
    return new OtelEvalError(
      'OTEL_EVAL_WRONG_SERVER',
      `${this.#source}: expected a trace in protobuf, got bytes that are none (at byte ${this.#position})`,
      { source: this.#source, byte: this.#position },
    );
  }
}
