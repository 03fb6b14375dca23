import { Pending, type Piece, type Splitter } from './line-splitter.ts';

const newline = 10;
const quote = 34;
const comma = 44;
const backslash = 92;

/** Bytes that may stand between values: white space, NUL, record separators, and the three of a byte order mark. */
const between = new Uint8Array(256);
for (const byte of [0, 9, 10, 13, 30, 32, 0xef, 0xbb, 0xbf]) between[byte] = 1;

/** 1 for an opening bracket, 2 for a closing one, 3 for a quote, 4 for a line end. */
const telling = new Uint8Array(256);
for (const byte of Buffer.from('{[')) telling[byte] = 1;
for (const byte of Buffer.from('}]')) telling[byte] = 2;
telling[quote] = 3;
telling[newline] = 4;

export interface BracketLimits {
  readonly largest: number;
  /** The error for a value of more than `largest` bytes. */
  tooLarge(line: number): Error;
  /** The error for what stands between values and is no bracket. */
  notJson(line: number): Error;
}

/**
 * Cuts a JSON text into objects by brackets and quotes, without parsing it: objects that span lines, stand side by side,
 * or are the elements of one outer list.
 */
export class BracketSplitter implements Splitter {
  readonly #limits: BracketLimits;
  readonly #pending = new Pending();
  #offset = 0;
  #line: number;
  #startLine: number;
  /** Open brackets, the outer list included. */
  #depth = 0;
  /** 1 inside the outer list. */
  #base = 0;
  #inString = false;
  /** The last byte was a backslash that escapes the next. */
  #escaped = false;

  constructor(limits: BracketLimits, firstLine = 1) {
    this.#limits = limits;
    this.#line = firstLine;
    this.#startLine = firstLine;
  }

  /** NUL bytes that stood between objects. */
  nulBytes = 0;

  /** Inside the outer list. */
  get isInList(): boolean {
    return this.#base === 1;
  }

  /** An object, or the outer list, has begun and not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** The line on which the open object begins. */
  get openSince(): number {
    return this.#startLine;
  }

  *push(chunk: Buffer): Generator<Piece, void, undefined> {
    let start = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#inString) at = this.#endOfString(chunk, at);
      else if (this.#depth === this.#base) {
        if (this.#between(chunk[at] as number)) start = at;
        at += 1;
      } else {
        at = this.#inside(chunk, at);
        if (this.#depth > this.#base) continue;
        this.#pending.add(chunk.subarray(start, at));
        yield { bytes: this.#pending.take(), line: this.#startLine, end: this.#offset + at };
      }
    }
    this.#offset += chunk.length;
    if (this.#depth > this.#base) this.#pending.add(chunk.subarray(start));
    if (this.#pending.bytes > this.#limits.largest) throw this.#limits.tooLarge(this.#startLine);
  }

  finish(): readonly Piece[] {
    return [];
  }

  /** Bytes of the object that has begun. */
  takeOpen(): Buffer {
    return this.#pending.take();
  }

  /** One byte between objects; true where an object begins. */
  #between(byte: number): boolean {
    if (byte === newline) this.#line += 1;
    else if (byte === 0) this.nulBytes += 1;
    if (between[byte] === 1 || (byte === comma && this.#base === 1)) return false;
    const kind = telling[byte];
    if (kind === 2 && this.#base === 1) {
      this.#base = 0;
      this.#depth = 0;
      return false;
    }
    if (kind !== 1) throw this.#limits.notJson(this.#line);
    this.#startLine = this.#line;
    this.#depth += 1;
    if (byte !== 91 || this.#base === 1) return true;
    this.#base = 1;
    return false;
  }

  /** From within an object to its end, or to the next string or the end of the chunk. */
  #inside(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const kind = telling[chunk[at] as number];
      if (kind === 0) continue;
      if (kind === 1) this.#depth += 1;
      else if (kind === 4) this.#line += 1;
      else if (kind === 3) {
        this.#inString = true;
        return at + 1;
      } else {
        this.#depth -= 1;
        if (this.#depth === this.#base) return at + 1;
      }
    }
    return chunk.length;
  }

  /** From within a string to behind its closing quote, or to the end of the chunk. */
  #endOfString(chunk: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const stop = chunk.indexOf(quote, at);
      const escapes = this.#oddBackslashes(chunk, from, stop === -1 ? chunk.length : stop);
      if (stop === -1) {
        this.#escaped = escapes;
        return chunk.length;
      }
      at = stop + 1;
      if (escapes) continue;
      this.#inString = false;
      this.#escaped = false;
      return at;
    }
  }

  /** Whether the run of backslashes before `stop` escapes what stands there. */
  #oddBackslashes(chunk: Buffer, from: number, stop: number): boolean {
    let at = stop - 1;
    while (at >= from && chunk[at] === backslash) at -= 1;
    const run = stop - 1 - at;
    const carried = at < from && this.#escaped ? 1 : 0;
    return (run + carried) % 2 === 1;
  }
}
