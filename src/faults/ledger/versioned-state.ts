/**
 * The state of a sandbox with its past: each write makes a version, so that a read can be answered as it was before the
 * last write.
 */
export class VersionedState<State> {
  #current: State;
  #before: State | undefined;

  constructor(initial: State) {
    this.#current = initial;
  }

  get current(): State {
    return this.#current;
  }

  /** The version before the last committed write; `undefined` where there was none. */
  get before(): State | undefined {
    return this.#before;
  }

  write(next: State): void {
    this.#before = this.#current;
    this.#current = next;
  }
}
