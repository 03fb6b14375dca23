import type { TrialStatus } from '../../suite/trial/trial-status.ts';
import type { Context } from '../context.ts';

/** Says on stderr how far a run has come: on a terminal one line that is rewritten, else now and then a line. */
export class Progress {
  readonly #total: number;
  readonly #context: Context;
  readonly #quiet: boolean;
  readonly #counts = new Map<TrialStatus, number>();
  #done = 0;
  #toldAtMs = 0;

  constructor(total: number, context: Context, quiet: boolean) {
    this.#total = total;
    this.#context = context;
    this.#quiet = quiet;
  }

  finished(status: TrialStatus): void {
    this.#done += 1;
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    if (this.#quiet) return;
    const now = this.#context.now();
    const everyMs = this.#context.stderrIsTerminal ? 100 : 10_000;
    if (this.#toldAtMs === 0) this.#toldAtMs = now;
    if (now - this.#toldAtMs < everyMs) return;
    this.#toldAtMs = now;
    this.#context.note(this.#line());
  }

  #line(): string {
    const told = [...this.#counts].map(([status, count]) => `${count} ${status}`).join(', ');
    return `${this.#done}/${this.#total} trials: ${told}`;
  }
}
