/**
 * Bytes that come in pieces. A few pieces stay as they came; more are copied together, since each would take more memory
 * than it holds where a server sends byte by byte.
 */
export class GrowingBytes {
  #length = 0;
  #pieces: Uint8Array[] = [];
  /** What was copied together, with room for more. */
  #store: Buffer = Buffer.alloc(0);
  #stored = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length >= mostPieces) this.#copyTogether();
  }

  whole(): Uint8Array {
    if (this.#stored > 0) this.#copyTogether();
    const [only] = this.#pieces;
    if (this.#stored > 0) return this.#store.subarray(0, this.#stored);
    return only !== undefined && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
  }

  #copyTogether(): void {
    if (this.#length > this.#store.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#store.length * 2));
      larger.set(this.#store.subarray(0, this.#stored));
      this.#store = larger;
    }
    for (const piece of this.#pieces) {
      this.#store.set(piece, this.#stored);
      this.#stored += piece.length;
    }
    this.#pieces = [];
  }
}

const mostPieces = 32;
