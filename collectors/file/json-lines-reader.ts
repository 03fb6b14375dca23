import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type BracketLimits, BracketSplitter } from './bracket-splitter.ts';
import { bracketsOf } from './content-kind.ts';
import type { DocumentReader, ReadingPlace } from './document-reader.ts';
import type { Piece } from './line-splitter.ts';
import { readJson } from './read-json.ts';
import type { TraceReading } from './trace-reading.ts';

/**
 * One JSON document a line. A line that is not one document is looked at by brackets: it may hold several side by side,
 * or begin one that goes on over the next lines; the last one may be cut off.
 */
export class JsonLinesReader implements DocumentReader {
  readonly #place: ReadingPlace;
  readonly #limits: BracketLimits;
  /** A document that goes on over several lines. */
  #open: BracketSplitter | undefined;

  constructor(place: ReadingPlace, limits: BracketLimits) {
    this.#place = place;
    this.#limits = limits;
  }

  read({ bytes, line }: Piece): readonly TraceReading[] {
    const text = this.#withoutPadding(bytes, line);
    if (text.length === 0) return [];
    if (this.#open !== undefined) {
      if (isWholeDocument(text)) throw this.#brokenLine(this.#open.openSince);
      return this.#byBrackets(this.#open, bytes);
    }
    try {
      return [this.#noted(readJson(text.toString('utf8'), this.#place.options(line)))];
    } catch (error) {
      if (!isSeveralOrOpen(text)) throw error;
    }
    return this.#byBrackets(new BracketSplitter(this.#limits, line), text);
  }

  finish(): void {
    if (this.#open === undefined) return;
    this.#place.cut(this.#open.openSince, 'the last line ends before its JSON does: it was cut off');
  }

  #byBrackets(splitter: BracketSplitter, bytes: Buffer): readonly TraceReading[] {
    const readings: TraceReading[] = [];
    for (const piece of splitter.push(Buffer.concat([bytes, Buffer.from('\n')]))) {
      readings.push(this.#noted(readJson(piece.bytes.toString('utf8'), this.#place.options(piece.line))));
    }
    this.#open = splitter.isOpen ? splitter : undefined;
    return readings;
  }

  #noted(reading: TraceReading): TraceReading {
    this.#place.input.note(reading, 'lines');
    return reading;
  }

  /** A line without white space, byte order mark and NUL bytes around it. */
  #withoutPadding(bytes: Buffer, line: number): Buffer {
    let start = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    let stop = bytes.length;
    let nul = 0;
    for (; start < stop && isPadding(bytes[start]); start += 1) nul += bytes[start] === 0 ? 1 : 0;
    for (; start < stop && isPadding(bytes[stop - 1]); stop -= 1) nul += bytes[stop - 1] === 0 ? 1 : 0;
    this.#place.nulBytes(nul, line);
    return bytes.subarray(start, stop);
  }

  #brokenLine(line: number): OtelEvalError {
    const source = this.#place.input.label;
    const message = `${source}, line ${line} ends before its JSON does, and other lines follow: the file is damaged`;
    return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', message, { source, line });
  }
}

function isPadding(byte: number | undefined): boolean {
  return byte === 32 || byte === 13 || byte === 9 || byte === 0 || byte === 30;
}

/** Whether a line that could not be read holds several documents, or begins one. */
function isSeveralOrOpen(line: Buffer): boolean {
  const brackets = bracketsOf(line);
  return brackets !== undefined && (brackets.isOpen || brackets.pieces > 1);
}

/** Within a document of several lines, this stands for itself: the document before it never ended. */
function isWholeDocument(line: Buffer): boolean {
  if (!/^\{\s*"resource(?:Spans|Logs|Metrics)"/.test(line.toString('latin1', 0, 64))) return false;
  const brackets = bracketsOf(line);
  return brackets !== undefined && !brackets.isOpen;
}
