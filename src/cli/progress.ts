import type { RemoteProgress } from '../../collectors/polling/remote-progress.ts';
import type { Collection } from '../trace/trace-set.ts';
import { counted } from '../verdict/wording.ts';
import type { Context } from './context.ts';

const everyMs = 500;

/** How far a long look has come, on a terminal's stderr: one line that is rewritten; silent elsewhere. */
export class Progress {
  readonly #context: Context;
  readonly #shown: boolean;
  #trials = 0;
  #remote: RemoteProgress | undefined;
  #toldAtMs: number;
  #told = false;

  constructor(context: Context, { quiet }: { readonly quiet: boolean }) {
    this.#context = context;
    this.#shown = context.stderrIsTerminal && !quiet;
    this.#toldAtMs = context.now();
  }

  /** A run was judged. */
  count(): void {
    this.#trials += 1;
    this.#tell();
  }

  /** A server was asked. */
  asked(remote: RemoteProgress): void {
    this.#remote = remote;
    this.#tell();
  }

  /** The same collection; when it has been read the line is gone, so that nothing is written behind it. */
  over(collection: Collection): Collection {
    if (!this.#shown) return collection;
    const end = () => this.end();
    return {
      source: collection.source,
      async *groups() {
        try {
          yield* collection.groups();
        } finally {
          end();
        }
      },
      inputs: () => collection.inputs(),
      looseLogs: () => collection.looseLogs(),
    };
  }

  /** Takes the line away. */
  end(): void {
    if (this.#told) this.#context.echo('\r\u001b[K');
    this.#told = false;
  }

  #tell(): void {
    if (!this.#shown || this.#context.now() - this.#toldAtMs < everyMs) return;
    this.#toldAtMs = this.#context.now();
    this.#told = true;
    const parts = [remoteText(this.#remote), this.#trials > 0 ? `${counted(this.#trials, 'run')} judged` : ''];
    this.#context.echo(`\r${parts.filter(Boolean).join(', ')}\u001b[K`);
  }
}

function remoteText(remote: RemoteProgress | undefined): string {
  if (remote === undefined) return '';
  const { found, read, waiting } = remote;
  if (found === 0) return 'no trace found yet';
  return `${read} of ${counted(found, 'trace')} read${waiting > 0 ? `, ${waiting} waited for` : ''}`;
}
