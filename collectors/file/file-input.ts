import type { Compression, Limits, Packed } from './compression.ts';
import { compressionOf } from './compression.ts';
import { type ContentKind, contentKind, headBytes } from './content-kind.ts';
import { type ContentReaders, contentReaders } from './content-readers.ts';
import { ReadingPlace } from './document-reader.ts';
import type { FoundInput } from './find-inputs.ts';
import { InputState } from './input-state.ts';
import type { StoredBytes } from './stored-bytes.ts';
import type { TraceReading } from './trace-reading.ts';
import { unpacked } from './unpack.ts';

const endings: Readonly<Record<Compression, string>> = {
  none: '',
  gzip: '+gzip',
  zstd: '+zstd',
  'zstd-framed': '+zstd-framed',
};

/** What was whole with one piece. */
export interface ReadPiece {
  readonly readings: readonly TraceReading[];
  /** 1 for the first piece of the input. */
  readonly number: number;
  /** Offset behind it. */
  readonly end: number;
}

/** One input, recognised and ready to be read, any number of times. */
export class FileInput {
  readonly label: string;
  readonly kind: ContentKind;
  readonly #packed: Packed;

  private constructor(packed: Packed, kind: ContentKind) {
    this.label = packed.label;
    this.#packed = packed;
    this.kind = kind;
  }

  /** Throws what it is instead of a trace, or why it cannot be read. */
  static async open(found: FoundInput, bytes: StoredBytes, limits: Limits): Promise<FileInput> {
    const { label } = found;
    const start = await headOf(bytes.chunks(), 18);
    const packed: Packed = { bytes, label, limits, compression: compressionOf(start, bytes.size) };
    const input = new FileInput(packed, contentKind(await headOf(unpacked(packed), headBytes), label));
    // A file that nobody named is passed over when it is no trace, so its first document must be known to be one.
    if (!found.named) await input.#readFirst();
    return input;
  }

  /** Bytes on the disk. */
  get size(): number {
    return this.#packed.bytes.size;
  }

  get compressed(): boolean {
    return this.#packed.compression !== 'none';
  }

  newState(): InputState {
    return new InputState(this.label, endings[this.#packed.compression]);
  }

  chunks(signal?: AbortSignal): AsyncIterable<Buffer> {
    return unpacked(this.#packed, signal);
  }

  readers(state: InputState): Promise<ContentReaders> {
    return contentReaders(this.kind, new ReadingPlace(state), this.#packed.limits.document);
  }

  /** All that is in it, piece by piece. */
  async *documents(state: InputState, signal?: AbortSignal): AsyncGenerator<ReadPiece, void, undefined> {
    const { splitter, reader } = await this.readers(state);
    let number = 0;
    for await (const chunk of this.chunks(signal)) {
      for (const piece of splitter.push(chunk)) {
        number += 1;
        const readings = reader.read(piece);
        if (readings.length > 0) yield { readings, number, end: piece.end };
      }
    }
    for (const piece of splitter.finish()) {
      number += 1;
      yield { readings: reader.read(piece), number, end: piece.end };
    }
    reader.finish();
  }

  async #readFirst(): Promise<void> {
    for await (const _ of this.documents(this.newState())) return;
  }
}

/** The first bytes, as many as there are up to `wanted`. */
async function headOf(chunks: AsyncIterable<Buffer>, wanted: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(Buffer.from(chunk.subarray(0, wanted - length)));
    length += chunk.length;
    if (length >= wanted) break;
  }
  return Buffer.concat(parts);
}
