import { Pending, type Piece, type Splitter } from './line-splitter.ts';

/** The whole content as one piece. */
export class WholeSplitter implements Splitter {
  readonly #pending = new Pending();
  readonly #largest: number;
  readonly #tooLarge: (bytes: number) => Error;
  #offset = 0;

  constructor(largest: number, tooLarge: (bytes: number) => Error) {
    this.#largest = largest;
    this.#tooLarge = tooLarge;
  }

  push(chunk: Buffer): readonly Piece[] {
    this.#offset += chunk.length;
    this.#pending.add(chunk);
    if (this.#pending.bytes > this.#largest) throw this.#tooLarge(this.#pending.bytes);
    return [];
  }

  finish(): readonly Piece[] {
    return [{ bytes: this.#pending.take(), line: 0, end: this.#offset }];
  }
}

/** Messages with their length before them: [4 bytes, big-endian][message], repeated. */
export class MessageSplitter implements Splitter {
  readonly #pending = new Pending();
  readonly #largest: number;
  readonly #tooLarge: (bytes: number) => Error;
  /** Bytes that a message needs with its length, once that is known; else the four of the length. */
  #need = 4;
  #offset = 0;

  constructor(largest: number, tooLarge: (bytes: number) => Error) {
    this.#largest = largest;
    this.#tooLarge = tooLarge;
  }

  /** A message has begun and not ended. */
  get isOpen(): boolean {
    return this.#pending.bytes > 0;
  }

  *push(chunk: Buffer): Generator<Piece, void, undefined> {
    let rest = chunk;
    while (this.#pending.bytes + rest.length >= this.#need) {
      const part = rest.subarray(0, this.#need - this.#pending.bytes);
      rest = rest.subarray(part.length);
      this.#pending.add(part);
      const bytes = this.#pending.take();
      if (bytes.length === 4 && this.#need === 4) this.#need = 4 + this.#lengthOf(bytes);
      if (bytes.length < this.#need) {
        this.#pending.add(bytes);
        continue;
      }
      this.#offset += this.#need;
      this.#need = 4;
      yield { bytes: bytes.subarray(4), line: 0, end: this.#offset };
    }
    this.#pending.add(rest);
  }

  finish(): readonly Piece[] {
    return [];
  }

  #lengthOf(bytes: Buffer): number {
    const length = bytes.readUInt32BE(0);
    if (length > this.#largest) throw this.#tooLarge(length);
    return length;
  }
}
