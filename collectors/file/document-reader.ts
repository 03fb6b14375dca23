import type { DecodeOptions } from '../../src/trace/otlp-reading.ts';
import { SharedStrings } from '../../src/trace/otlp-reading.ts';
import type { InputState } from './input-state.ts';
import type { Piece } from './line-splitter.ts';
import type { TraceReading } from './trace-reading.ts';

/** Makes readings of the pieces of one input. */
export interface DocumentReader {
  /** Those that are whole with this piece: usually one. */
  read(piece: Piece): readonly TraceReading[];
  /** When no more pieces come: what was left open is a cut, or an error where nothing was read before. */
  finish(): void;
}

/** What all readers of one input share. */
export class ReadingPlace {
  readonly input: InputState;
  readonly #shared = new SharedStrings();

  constructor(input: InputState) {
    this.input = input;
  }

  options(line: number): DecodeOptions {
    return { source: this.input.label, line, shared: this.#shared };
  }

  cut(line: number, message: string): void {
    this.input.cut = true;
    this.input.problem({ code: 'cut-off', message, at: line > 0 ? `line ${line}` : 'the end' });
  }

  nulBytes(count: number, line: number): void {
    if (count === 0) return;
    this.input.cut = true;
    const message = `expected JSON, got ${count} NUL bytes: what stood there is lost`;
    this.input.problem({ code: 'nul-bytes', message, at: `line ${line}` });
  }
}
