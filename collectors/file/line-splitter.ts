/** A part of a text or of a stream of messages. */
export interface Piece {
  /** Valid until the next piece is asked for. */
  readonly bytes: Buffer;
  /** 1-based line on which it begins; `0` where there are no lines. */
  readonly line: number;
  /** Offset of the first byte behind it. */
  readonly end: number;
}

/** Cuts something into pieces as its chunks come. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Piece>;
  /** What is left when no more chunks come. */
  finish(): Iterable<Piece>;
}

const newline = 10;

/** Bytes that have begun something and wait for its end. Joined once, so that a long line costs no more than its length. */
export class Pending {
  #parts: Buffer[] = [];
  bytes = 0;

  add(part: Buffer): void {
    if (part.length === 0) return;
    // The chunk it stands in will be written over.
    this.#parts.push(Buffer.from(part));
    this.bytes += part.length;
  }

  take(): Buffer {
    const whole = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.bytes = 0;
    return whole;
  }
}

/** Lines without their line end and the white space before them, near the speed of memory. */
export class LineSplitter implements Splitter {
  readonly #pending = new Pending();
  readonly #tooLong: (line: number) => Error;
  readonly #longest: number;
  #offset = 0;
  #line = 1;

  /** @param tooLong the error for a line longer than `longest` bytes */
  constructor(longest: number, tooLong: (line: number) => Error) {
    this.#longest = longest;
    this.#tooLong = tooLong;
  }

  *push(chunk: Buffer): Generator<Piece, void, undefined> {
    let start = this.#pending.bytes === 0 ? this.#skipBlank(chunk, 0) : 0;
    for (let stop = chunk.indexOf(newline, start); stop !== -1; stop = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, stop);
      this.#offset += stop + 1 - start;
      yield { bytes: this.#joined(part), line: this.#line, end: this.#offset };
      this.#line += 1;
      start = this.#skipBlank(chunk, stop + 1);
    }
    this.#offset += chunk.length - start;
    this.#pending.add(chunk.subarray(start));
    if (this.#pending.bytes > this.#longest) throw this.#tooLong(this.#line);
  }

  *finish(): Generator<Piece, void, undefined> {
    if (this.#pending.bytes > 0) yield { bytes: this.#pending.take(), line: this.#line, end: this.#offset };
  }

  /** A file may hold very many blank lines. */
  #skipBlank(chunk: Buffer, from: number): number {
    let at = from;
    for (let byte = chunk[at]; byte === newline || byte === 13 || byte === 32 || byte === 9; byte = chunk[at]) {
      if (byte === newline) this.#line += 1;
      at += 1;
    }
    this.#offset += at - from;
    return at;
  }

  #joined(part: Buffer): Buffer {
    if (this.#pending.bytes === 0) return part;
    this.#pending.add(part);
    return this.#pending.take();
  }
}
