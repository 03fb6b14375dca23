/**
 * Answers are read and judged one by one, each in a turn of the event loop of its own: while one is judged nothing is
 * sent or heard, so the requests that follow go out first, and what comes is looked for after each.
 */
export class ReadingTurns {
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  #bytes = 0;
  #isArmed = false;
  #hasArrived = false;

  /** Of the answers that wait for their turn. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when an answer of so many bytes may be read. */
  next(bytes: number): Promise<void> {
    this.#hasArrived = true;
    this.#bytes += bytes;
    return new Promise((begin) => {
      this.#waiting.push({ bytes, begin });
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isArmed = false;
    if (this.#hasArrived) {
      // undici uses a connection again in the turn after its answer, which may still be ahead of us in this one.
      this.#hasArrived = false;
      this.#arm();
      return;
    }
    const answer = this.#waiting.shift();
    if (answer === undefined) return;
    this.#bytes -= answer.bytes;
    if (this.#waiting.length > 0) this.#arm();
    answer.begin();
  };
}
