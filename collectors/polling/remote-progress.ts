/** How far the reading of a server has come. */
export interface RemoteProgress {
  /** Traces that were asked for or found. */
  readonly found: number;
  /** Those that are waited for no longer. */
  readonly read: number;
  /** Those that are asked for again until they are whole. */
  readonly waiting: number;
}

/** Counts, and tells of every change. */
export class RemoteCount {
  readonly #tell: (progress: RemoteProgress) => void;
  #found = 0;
  #read = 0;
  #waiting = 0;

  constructor(tell: (progress: RemoteProgress) => void = () => {}) {
    this.#tell = tell;
  }

  found(traces: number): void {
    this.#found += traces;
    this.asked(this.#waiting);
  }

  asked(waiting: number): void {
    this.#waiting = waiting;
    this.#tell({ found: this.#found, read: this.#read, waiting });
  }

  read(waiting: number): void {
    this.#read += 1;
    this.asked(waiting);
  }
}
