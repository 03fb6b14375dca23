import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreadable } from './io-errors.ts';

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
  readonly #open: OpenBytes | undefined;

  private constructor(label: string, path: string, size: number, open?: OpenBytes) {
    this.#label = label;
    this.#path = path;
    this.size = size;
    this.#open = open;
  }

  /** A part of a file that somebody else has opened, and will close. */
  static ofOpenFile(handle: FileHandle, label: string, { from, to }: { from: number; to: number }): StoredBytes {
    return new StoredBytes(label, '', to - from, { handle, from, close: async () => {} });
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
    const handle = await open(join(folder, 'input'), 'wx+', 0o600);
    try {
      if (!isWindows) await rm(folder, { recursive: true });
      const chunks: AsyncIterable<Uint8Array> = typeof from === 'string' ? createReadStream(from) : from;
      let size = 0;
      for await (const chunk of abortable(chunks, signal)) size += await writeAll(handle, chunk, size);
      return new StoredBytes(label, folder, size, { handle, from: 0, close: () => removed(handle, folder) });
    } catch (error) {
      await removed(handle, folder);
      signal?.throwIfAborted();
      throw unreadable(label, error);
    }
  }

  /** Each chunk is valid until the next one is asked for. */
  async *chunks(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const { handle, from } = this.#open ?? { handle: await this.#opened(), from: 0 };
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkBytes, this.size)));
      for (let at = 0; at < this.size; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, this.size - at), from + at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      if (handle !== this.#open?.handle) await handle.close();
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
    await this.#open?.close();
  }
}

/** A file that is open as long as its bytes are needed. */
interface OpenBytes {
  readonly handle: FileHandle;
  /** Where the bytes begin in it. */
  readonly from: number;
  close(): Promise<void>;
}

async function removed(handle: FileHandle, folder: string): Promise<void> {
  await handle.close();
  await rm(folder, { recursive: true, force: true });
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
