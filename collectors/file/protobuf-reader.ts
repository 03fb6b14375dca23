import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import { type OtlpBatch, OtlpReading } from '../../src/trace/otlp-reading.ts';
import { tempoStatus } from '../../src/trace/tempo-json.ts';
import { isTempoEnvelope, openTempoEnvelope } from '../../src/trace/tempo-protobuf.ts';
import type { DocumentReader, ReadingPlace } from './document-reader.ts';
import type { Piece } from './line-splitter.ts';
import type { MessageSplitter } from './message-splitter.ts';
import { protobufSignal } from './protobuf-signal.ts';
import type { TraceReading } from './trace-reading.ts';

/** OTLP/protobuf: one message, or several with their length before them. */
export class ProtobufReader implements DocumentReader {
  readonly #place: ReadingPlace;
  /** `undefined` where the whole content is one message. */
  readonly #splitter: MessageSplitter | undefined;
  #messages = 0;

  constructor(place: ReadingPlace, splitter: MessageSplitter | undefined) {
    this.#place = place;
    this.#splitter = splitter;
  }

  read({ bytes }: Piece): readonly TraceReading[] {
    const reading = isTempoEnvelope(bytes) ? this.#ofTempo(bytes) : this.#ofOtlp(bytes);
    this.#messages += 1;
    this.#place.input.note(reading, this.#splitter === undefined ? '' : 'framed');
    return [reading];
  }

  #ofOtlp(bytes: Buffer): TraceReading {
    return { form: 'otlp-protobuf', batch: this.#decode(bytes), remote: false, losses: [] };
  }

  #ofTempo(bytes: Buffer): TraceReading {
    const options = this.#place.options(0);
    const { trace, status, message } = openTempoEnvelope(bytes, options.source);
    const batch = decodeOtlpProtobuf(trace, options);
    const serverSays = trace.length === 0 ? 'not-found' : tempoStatus(status, message);
    const reading: TraceReading = { form: 'tempo-v2-protobuf', batch, remote: true, losses: [] };
    return serverSays === undefined ? reading : { ...reading, serverSays };
  }

  #decode(bytes: Buffer): OtlpBatch {
    const options = this.#place.options(0);
    const signal = protobufSignal(bytes);
    if (signal !== 'metrics') return decodeOtlpProtobuf(bytes, { ...options, signal });
    const counted = new OtlpReading(options);
    counted.metrics = 1;
    return counted;
  }

  finish(): void {
    if (this.#splitter === undefined || !this.#splitter.isOpen) return;
    const source = this.#place.input.label;
    if (this.#messages === 0) {
      const message = `${source} ends before its first message does: it was cut off, or is something else`;
      throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', message, { source });
    }
    this.#place.cut(0, 'the last message ends before its length says: it was cut off');
  }
}
