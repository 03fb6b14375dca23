import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type Packed, usualInflation } from './compression.ts';
import { cutOff, damaged, tooLarge } from './unpack-errors.ts';

/** The bytes of an input unpacked, in chunks that are valid until the next one is asked for. */
export function unpacked(packed: Packed, signal?: AbortSignal): AsyncIterable<Buffer> {
  const chunks = packed.bytes.chunks(signal);
  if (packed.compression === 'none') return chunks;
  const inner = packed.compression === 'gzip' ? gunzipped(chunks, packed) : unpackedZstd(chunks, packed);
  return limited(inner, packed);
}

async function* limited(chunks: AsyncIterable<Buffer>, { bytes, label, limits }: Packed): AsyncGenerator<Buffer> {
  const limit = limits.unpacked ?? usualInflation(bytes.size);
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw tooLarge(label, `unpacks to more than ${limit} bytes, more than is read`);
    yield chunk;
  }
}

async function* unpackedZstd(chunks: AsyncIterable<Buffer>, packed: Packed): AsyncGenerator<Buffer> {
  const { unframedZstd, plainZstd } = await import('./zstd.ts');
  yield* packed.compression === 'zstd' ? plainZstd(chunks, packed) : unframedZstd(chunks, packed);
}

async function* gunzipped(chunks: AsyncIterable<Buffer>, { bytes, label }: Packed): AsyncGenerator<Buffer> {
  const stored = Readable.from(copied(chunks), { objectMode: false });
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  stored.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of stored.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    throw badGzip(label, error);
  } finally {
    stored.destroy();
    gunzip.destroy();
  }
  if (gunzip.bytesWritten < bytes.size) {
    throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${label} holds other bytes behind its gzip data`, {
      source: label,
      byte: gunzip.bytesWritten,
    });
  }
}

/** A chunk is written over while the stream still holds it. */
async function* copied(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

function badGzip(label: string, cause: unknown): unknown {
  const code = String((cause as NodeJS.ErrnoException).code);
  if (code === 'Z_BUF_ERROR') return cutOff(label, 'gzip');
  return code.startsWith('Z_') ? damaged(label, 'gzip', cause) : cause;
}
