import type { StoredBytes } from './stored-bytes.ts';
import { zstdMagicAt } from './zstd-walk.ts';

export type Compression = 'none' | 'gzip' | 'zstd' | 'zstd-framed';

/** An input as it lies on the disk. */
export interface Packed {
  readonly bytes: StoredBytes;
  readonly compression: Compression;
  readonly label: string;
  readonly limits: Limits;
}

export interface Limits {
  /** Bytes of one document, line or message. */
  readonly document: number;
  /** Bytes that one input may unpack to; `undefined` for a bound that grows with its size. */
  readonly unpacked: number | undefined;
}

/** How the bytes of an input are packed, told by its first bytes. */
export function compressionOf(head: Buffer, size: number): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (zstdMagicAt(head, 0)) return 'zstd';
  if (head.length >= 8 && zstdMagicAt(head, 4) && head.readUInt32BE(0) <= size - 4) return 'zstd-framed';
  return 'none';
}

const gibibyte = 2 ** 30;

/**
 * How many bytes may come out of `packed` bytes by default. Real traces pack 10 : 1 to 100 : 1, and more where each span
 * repeats a long prompt; a bomb reaches 30,000 : 1. Memory is bounded by the largest message; this bounds time.
 */
export function usualInflation(packed: number): number {
  return Math.max(gibibyte, packed * 2_000);
}
