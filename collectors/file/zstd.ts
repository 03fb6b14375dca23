import { Decompress } from 'fzstd';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Packed } from './compression.ts';
import { cutOff, damaged, tooLarge } from './unpack-errors.ts';
import { ZstdWalk } from './zstd-walk.ts';

/** A zstd file: frames one after the other. */
export async function* plainZstd(chunks: AsyncIterable<Buffer>, { label }: Packed): AsyncGenerator<Buffer> {
  const frames = new ZstdFrames(label);
  for await (const chunk of chunks) {
    for (const part of small(chunk)) yield* frames.push(part);
  }
  yield* frames.finish();
}

/**
 * The collector's own framing: [4-byte big-endian length][one zstd frame], repeated. Gives what the file would hold
 * without compression: JSON messages as lines, protobuf messages with their length before them.
 */
export async function* unframedZstd(chunks: AsyncIterable<Buffer>, packed: Packed): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let last: Buffer[] = [];
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    for (let length = lengthOf(held, packed); length !== undefined; length = lengthOf(held, packed)) {
      last = [...oneMessage(held.subarray(4, 4 + length), packed)];
      yield* last;
      held = held.subarray(4 + length);
    }
  }
  if (held.length === 0) return;
  if (last.length === 0) throw cutOff(packed.label, 'zstd in frames');
  // A message that has begun: whoever splits the messages finds that the last one is cut.
  yield Buffer.from(isJson(last[0]) ? '{' : '\0\0\0\u0001', 'latin1');
}

/** Length of the frame at the start, once it is there. */
function lengthOf(held: Buffer, { label, limits: { document: largest } }: Packed): number | undefined {
  if (held.length < 4) return undefined;
  const length = held.readUInt32BE(0);
  if (length > largest) throw tooLarge(label, `holds a frame of ${length} bytes, more than is read at once`);
  return held.length < 4 + length ? undefined : length;
}

function* oneMessage(frame: Buffer, { label, limits: { document: largest } }: Packed): Generator<Buffer> {
  const frames = new ZstdFrames(label);
  const parts: Buffer[] = [];
  let size = 0;
  const keep = (unpacked: Iterable<Buffer>): void => {
    for (const part of unpacked) {
      size += part.length;
      if (size > largest) throw tooLarge(label, `holds a frame that unpacks to more than ${largest} bytes`);
      parts.push(part);
    }
  };
  for (const part of small(frame)) keep(frames.push(part));
  keep(frames.finish());
  const json = isJson(parts[0]);
  if (!json) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(size);
    yield length;
  }
  yield* parts;
  if (json) yield Buffer.from('\n');
}

function isJson(first: Buffer | undefined): boolean {
  return /^\s*[{[]/.test(first?.toString('latin1', 0, 64) ?? '');
}

/** The decoder calls itself once for each frame of a part: many tiny frames must not use up the stack. */
function* small(chunk: Buffer): Generator<Buffer> {
  const size = 1 << 14;
  for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
}

class ZstdFrames {
  readonly #label: string;
  readonly #walk = new ZstdWalk();
  readonly #unpacked: Buffer[] = [];
  readonly #decoder = new Decompress((data) => {
    if (data.length > 0) this.#unpacked.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  });

  constructor(label: string) {
    this.#label = label;
  }

  push(part: Buffer): Buffer[] {
    const wrong = this.#walk.push(part);
    if (wrong === 'not-zstd') throw damaged(this.#label, 'zstd');
    if (wrong !== undefined) throw tooLarge(this.#label, 'is zstd that needs a window of more than 128 MiB');
    return this.#decode(Buffer.from(part), false);
  }

  finish(): Buffer[] {
    if (!this.#walk.isBetweenFrames) throw cutOff(this.#label, 'zstd');
    return this.#decode(new Uint8Array(0), true);
  }

  #decode(bytes: Uint8Array, last: boolean): Buffer[] {
    try {
      this.#decoder.push(bytes, last);
    } catch (cause) {
      throw OtelEvalError.is(cause) ? cause : damaged(this.#label, 'zstd', cause);
    }
    return this.#unpacked.splice(0);
  }
}
