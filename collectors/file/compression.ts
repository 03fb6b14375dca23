import type { StoredBytes } from './stored-bytes.ts';
import { zstdMagicAt } from './zstd-walk.ts';

export type Compression = 'none' | 'gzip' | 'zstd' | 'zstd-framed';

/** An input as it lies on the disk. */
export interface Packed {
  readonly bytes: StoredBytes;
  readonly compression: Compression;
  readonly label: string;
  /** Largest message, in bytes. */
  readonly largest: number;
}

/** How the bytes of an input are packed, told by its first bytes. */
export function compressionOf(head: Buffer, size: number): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (zstdMagicAt(head, 0)) return 'zstd';
  if (head.length >= 8 && zstdMagicAt(head, 4) && head.readUInt32BE(0) <= size - 4) return 'zstd-framed';
  return 'none';
}

/**
 * What packed bytes may become: real traces seldom pack 100 : 1, a bomb does 1,000 : 1 and more. Below the free part
 * nobody counts.
 */
const freeBytes = 256 * 1024 * 1024;
const mostTimes = 500;

/** How many bytes may come out of `packed` bytes. */
export function inflationLimit(packed: number): number {
  return Math.max(freeBytes, packed * mostTimes);
}
