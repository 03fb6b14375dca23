import type { Context } from '../context.ts';

const everyMs = 500;

/** How far a long check has come, on a terminal's stderr; silent elsewhere. */
export class Progress {
  readonly #context: Context;
  readonly #shown: boolean;
  #trials = 0;
  #toldAtMs: number;
  #told = false;

  constructor(context: Context, quiet: boolean) {
    this.#context = context;
    this.#shown = context.stderrIsTerminal && !quiet;
    this.#toldAtMs = context.now();
  }

  count(): void {
    this.#trials += 1;
    if (!this.#shown || this.#context.now() - this.#toldAtMs < everyMs) return;
    this.#toldAtMs = this.#context.now();
    this.#told = true;
    this.#context.echo(`\r${this.#trials} runs judged `);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#told) this.#context.echo('\r\u001b[K');
    this.#told = false;
  }
}
