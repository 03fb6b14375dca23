import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreadable } from './find-inputs.ts';

const chunkBytes = 1 << 20;
const isWindows = process.platform === 'win32';

/**
 * Bytes on disk that can be read more than once, up to the size they had when they were found: a file, or what a pipe
 * gave, kept in a temporary file. That one has no name any more while it is read (on Windows it is removed by `close`),
 * so nothing is left behind however the process ends.
 */
export class StoredBytes {
  readonly size: number;
  readonly #label: string;
  readonly #path: string;
  /** Of a temporary file, which has no name. */
  readonly #handle: FileHandle | undefined;

  private constructor(label: string, path: string, size: number, handle?: FileHandle) {
    this.#label = label;
    this.#path = path;
    this.size = size;
    this.#handle = handle;
  }

  static async ofFile(path: string, label: string): Promise<StoredBytes> {
    try {
      return new StoredBytes(label, path, (await stat(path)).size);
    } catch (error) {
      throw unreadable(label, error);
    }
  }

  /** Keeps all that a stream, or the named pipe at a path, gives. */
  static async ofPipe(
    from: AsyncIterable<Uint8Array> | string,
    label: string,
    signal?: AbortSignal,
  ): Promise<StoredBytes> {
    const folder = await mkdtemp(join(tmpdir(), 'otel-eval-'));
    let handle: FileHandle | undefined;
    try {
      handle = await open(join(folder, 'input'), 'wx+', 0o600);
      if (!isWindows) await rm(folder, { recursive: true });
      const chunks: AsyncIterable<Uint8Array> = typeof from === 'string' ? createReadStream(from) : from;
      let size = 0;
      for await (const chunk of abortable(chunks, signal)) size += await writeAll(handle, chunk, size);
      return new StoredBytes(label, folder, size, handle);
    } catch (error) {
      await handle?.close();
      await rm(folder, { recursive: true, force: true });
      signal?.throwIfAborted();
      throw unreadable(label, error);
    }
  }

  /** Each chunk is valid until the next one is asked for. */
  async *chunks(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const handle = this.#handle ?? (await this.#opened());
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkBytes, this.size)));
      for (let at = 0; at < this.size; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, this.size - at), at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      if (handle !== this.#handle) await handle.close();
    }
  }

  async #opened(): Promise<FileHandle> {
    try {
      return await open(this.#path, 'r');
    } catch (error) {
      throw unreadable(this.#label, error);
    }
  }

  async close(): Promise<void> {
    if (this.#handle === undefined) return;
    await this.#handle.close();
    if (isWindows) await rm(this.#path, { recursive: true, force: true });
  }
}

/** Ends at once when the signal is given, also while nothing comes. */
async function* abortable(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const stop = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  stop.catch(() => {});
  for (;;) {
    const next = await Promise.race([iterator.next(), stop]);
    if (next.done) return;
    yield next.value;
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array, position: number): Promise<number> {
  let written = 0;
  while (written < chunk.length) {
    written += (await handle.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
  }
  return written;
}
