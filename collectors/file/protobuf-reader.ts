import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import { type OtlpBatch, OtlpReading } from '../../src/trace/otlp-reading.ts';
import type { DocumentReader, ReadDocument, ReadingPlace } from './document-reader.ts';
import type { Piece } from './line-splitter.ts';
import type { MessageSplitter } from './message-splitter.ts';
import { protobufSignal } from './protobuf-signal.ts';

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

  *read({ bytes, end }: Piece): Generator<ReadDocument, void, undefined> {
    const batch = this.#decode(bytes);
    this.#messages += 1;
    const reading = { form: 'otlp-protobuf', batch, remote: false, losses: [] } as const;
    this.#place.input.note(reading, this.#splitter === undefined ? '' : 'framed');
    yield { reading, end };
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
