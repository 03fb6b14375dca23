import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface FileWatchOptions {
  readonly cwd: string;
  /** What is watched by now; a folder may hold other files than before. */
  readonly list: () => Promise<string[]>;
  readonly onChanged: (path: string) => void;
  readonly onListed: (paths: string[]) => void;
}

const everyMs = 300;

/** Looks at files now and then. It asks rather than listens: that works on every file system, also over renames. */
export class FileWatch {
  readonly #options: FileWatchOptions;
  readonly #seen = new Map<string, string>();
  #paths: readonly string[];
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  /** From now on every change is told. */
  readonly ready: Promise<void>;

  constructor(first: readonly string[], options: FileWatchOptions) {
    this.#options = options;
    this.#paths = first;
    this.ready = this.#look(() => {}).then(() => this.#wait());
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => {
      void this.#round().finally(() => this.#wait());
    }, everyMs);
  }

  async #round(): Promise<void> {
    // A named file that is gone for a moment is being written anew.
    const paths = await this.#options.list().catch(() => [...this.#paths]);
    if (paths.join('\n') !== this.#paths.join('\n')) {
      this.#paths = paths;
      this.#options.onListed(paths);
    }
    await this.#look(this.#options.onChanged);
  }

  async #look(tell: (path: string) => void): Promise<void> {
    for (const path of this.#paths) {
      const found = await stat(resolve(this.#options.cwd, path)).catch(() => undefined);
      if (found === undefined) continue;
      const state = `${found.mtimeMs} ${found.size} ${found.ino}`;
      const before = this.#seen.get(path);
      this.#seen.set(path, state);
      if (before !== undefined && before !== state) tell(path);
    }
  }
}
