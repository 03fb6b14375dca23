import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwritable } from '../file/io-errors.ts';

interface Waiting {
  readonly line: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lines that are on the disk once their `append` has resolved. Lines that wait at the same time share one sync. */
export class Journal {
  readonly #handle: FileHandle;
  readonly #leftover: string | undefined;
  /** Where the first line of this journal begins: a file that was there is kept. */
  readonly start: number;
  #end: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  private constructor(handle: FileHandle, size: number, leftover?: string) {
    this.#handle = handle;
    this.start = size;
    this.#end = size;
    this.#leftover = leftover;
  }

  /** @param path the file to append to; without one a temporary file, which is gone after `close` */
  static async open(path: string | undefined): Promise<Journal> {
    if (path !== undefined) return Journal.#openNamed(path);
    const folder = await mkdtemp(join(tmpdir(), 'otel-eval-'));
    const handle = await open(join(folder, 'received.jsonl'), 'wx+', 0o600);
    if (process.platform === 'win32') return new Journal(handle, 0, folder);
    await rm(folder, { recursive: true });
    return new Journal(handle, 0);
  }

  static async #openNamed(path: string): Promise<Journal> {
    try {
      const handle = await open(path, 'a+');
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      // What a process that was killed left half written must not run into our first line.
      if (size === 0 || last[0] === 10) return new Journal(handle, size);
      await handle.write('\n');
      return new Journal(handle, size + 1);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  get end(): number {
    return this.#end;
  }

  get handle(): FileHandle {
    return this.#handle;
  }

  append(line: string): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the journal is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: Buffer.from(`${line}\n`), resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writeBatch(Buffer.concat(batch.map(({ line }) => line)));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // A line that is there in part would spoil the next one.
        await this.#handle.truncate(this.#end).catch(() => {});
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }

  async #writeBatch(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      at += (await this.#handle.write(bytes, at, bytes.length - at, this.#end + at)).bytesWritten;
    }
    await this.#handle.datasync();
    this.#end += bytes.length;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#writing;
    await this.#handle.close();
    if (this.#leftover !== undefined) await rm(this.#leftover, { recursive: true, force: true });
  }
}
