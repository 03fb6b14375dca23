/** The harness's clock: it moves when someone says so, so that a timeout of thirty seconds costs none. */
export class VirtualClock {
  #nowMs = 0;

  /** Milliseconds since the session began. */
  get nowMs(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    if (ms > 0) this.#nowMs += ms;
  }

  /**
   * Lets virtual time pass. A caller that gives up earlier is heard: an aborted signal throws its reason, and a deadline
   * of the client's own cuts the wait short.
   */
  wait(
    ms: number,
    { signal, deadlineMs }: { signal?: AbortSignal | undefined; deadlineMs?: number | undefined } = {},
  ): void {
    signal?.throwIfAborted();
    this.advance(Math.min(ms, deadlineMs ?? ms));
  }
}
