import type { BracketSplitter } from './bracket-splitter.ts';
import type { DocumentReader, ReadingPlace } from './document-reader.ts';
import { refusal } from './foreign-forms.ts';
import type { Piece } from './line-splitter.ts';
import { readJson } from './read-json.ts';
import type { TraceReading } from './trace-reading.ts';

/** JSON documents that span lines, stand side by side, or are the elements of a list. */
export class JsonValuesReader implements DocumentReader {
  readonly #place: ReadingPlace;
  readonly #splitter: BracketSplitter;
  #documents = 0;

  constructor(place: ReadingPlace, splitter: BracketSplitter) {
    this.#place = place;
    this.#splitter = splitter;
  }

  read({ bytes, line }: Piece): readonly TraceReading[] {
    const reading = readJson(bytes.toString('utf8'), this.#place.options(line));
    this.#documents += 1;
    const shape = this.#documents > 1 ? 'lines' : '';
    this.#place.input.note(reading, this.#splitter.isInList ? 'array' : shape);
    return [reading];
  }

  finish(): void {
    const { isOpen, openSince, nulBytes } = this.#splitter;
    this.#place.nulBytes(nulBytes, openSince);
    if (isOpen && this.#documents > 0) {
      this.#place.cut(openSince, 'the last document ends before its JSON does: it was cut off');
      return;
    }
    // Parsing what has no end says where it ends.
    if (isOpen) readJson(this.#splitter.takeOpen().toString('utf8'), this.#place.options(openSince));
    if (this.#documents === 0) throw refusal('an empty JSON list', { source: this.#place.input.label });
  }
}
