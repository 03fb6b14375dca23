/** True where a zstd frame, or one to skip, begins. */
export function zstdMagicAt(bytes: Uint8Array, at: number): boolean {
  if (bytes.length < at + 4) return false;
  const isFrame = bytes[at] === 0x28 && bytes[at + 1] === 0xb5 && bytes[at + 2] === 0x2f && bytes[at + 3] === 0xfd;
  return isFrame || isSkippable(bytes, at);
}

function isSkippable(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] ?? 0;
  return first >= 0x50 && first <= 0x5f && bytes[at + 1] === 0x2a && bytes[at + 2] === 0x4d && bytes[at + 3] === 0x18;
}

/** Largest window that is taken, as the zstd program does without being asked. */
const largestWindow = 128 * 1024 * 1024;

/** What a walk along the frames wants next: the length of a part, and what to do with it. */
type Part = 'header' | 'skip-length' | 'skip' | 'block-header' | 'block' | 'checksum';

/**
 * Walks along zstd frames without unpacking them, so that a frame that wants too much memory, a frame that is cut off
 * and bytes behind the last frame are known before (and whatever) the decoder makes of them.
 */
export class ZstdWalk {
  #part: Part = 'header';
  #need = 4;
  /** The header or block header that is being gathered. */
  readonly #gathered = Buffer.alloc(18);
  #have = 0;
  #checksum = false;
  #lastBlock = false;
  #begun = false;

  /** True between frames: the bytes may end here. */
  get isBetweenFrames(): boolean {
    return this.#part === 'header' && this.#have === 0 && this.#begun;
  }

  /** What is wrong with these bytes, if anything. */
  push(chunk: Uint8Array): 'not-zstd' | 'window-too-large' | undefined {
    for (let at = 0; at < chunk.length; ) {
      const length = Math.min(this.#need - this.#have, chunk.length - at);
      if (this.#isGathered()) this.#gathered.set(chunk.subarray(at, at + length), this.#have);
      this.#have += length;
      at += length;
      while (this.#have === this.#need) {
        const wrong = this.#next();
        if (wrong !== undefined) return wrong;
      }
    }
    return undefined;
  }

  #isGathered(): boolean {
    return this.#part === 'header' || this.#part === 'skip-length' || this.#part === 'block-header';
  }

  #expect(part: Part, need: number): void {
    this.#part = part;
    this.#need = need;
    this.#have = 0;
  }

  #next(): 'not-zstd' | 'window-too-large' | undefined {
    const bytes = this.#gathered;
    switch (this.#part) {
      case 'header':
        return this.#readHeader(bytes);
      case 'skip-length':
        this.#expect('skip', bytes.readUInt32LE(0));
        return undefined;
      case 'block-header':
        this.#readBlockHeader(bytes);
        return undefined;
      case 'block':
        if (!this.#lastBlock) this.#expect('block-header', 3);
        else if (this.#checksum) this.#expect('checksum', 4);
        else this.#expect('header', 4);
        return undefined;
      default:
        this.#expect('header', 4);
        return undefined;
    }
  }

  #readHeader(bytes: Buffer): 'not-zstd' | 'window-too-large' | undefined {
    this.#begun = true;
    if (this.#have === 4) {
      if (!zstdMagicAt(bytes.subarray(0, 4), 0)) return 'not-zstd';
      if (isSkippable(bytes, 0)) this.#expect('skip-length', 4);
      else this.#need = 5;
      return undefined;
    }
    const descriptor = bytes[4] ?? 0;
    const length = headerLength(descriptor);
    if (this.#have < length) {
      this.#need = length;
      return undefined;
    }
    if (windowOf(bytes, descriptor) > largestWindow) return 'window-too-large';
    this.#checksum = (descriptor & 4) !== 0;
    this.#expect('block-header', 3);
    return undefined;
  }

  #readBlockHeader(bytes: Buffer): void {
    const header = bytes.readUIntLE(0, 3);
    this.#lastBlock = (header & 1) === 1;
    const isRun = ((header >> 1) & 3) === 1;
    this.#expect('block', isRun ? 1 : header >> 3);
  }
}

/** Length of a frame's header, its magic number included. */
function headerLength(descriptor: number): number {
  const singleSegment = (descriptor >> 5) & 1;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return 5 + (1 - singleSegment) + dictionaryBytes + sizeBytes(descriptor);
}

function sizeBytes(descriptor: number): number {
  const flag = descriptor >> 6;
  return flag === 0 ? (descriptor >> 5) & 1 : 1 << flag;
}

function windowOf(bytes: Buffer, descriptor: number): number {
  const singleSegment = (descriptor >> 5) & 1;
  if (singleSegment === 0) {
    const window = bytes[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const length = sizeBytes(descriptor);
  const at = headerLength(descriptor) - length;
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}
