/** A zstd frame of raw blocks: valid, and not compressed. There is no zstd in Node 20. */
export function zstdFrame(content: Uint8Array, options: { checksum?: boolean } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, options.checksum ? 0x04 : 0x00, 0x38])];
  const block = 60_000;
  for (let at = 0; at === 0 || at < content.length; at += block) {
    const bytes = content.subarray(at, at + block);
    parts.push(blockHeader(bytes.length, 0, at + block >= content.length), Buffer.from(bytes));
  }
  if (options.checksum) parts.push(Buffer.alloc(4));
  return Buffer.concat(parts);
}

/** A frame whose blocks each stand for 128 KiB of one byte. */
export function zstdBomb(blocks: number, byte = 32): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let i = 0; i < blocks; i += 1) parts.push(blockHeader(1 << 17, 1, i === blocks - 1), Buffer.from([byte]));
  return Buffer.concat(parts);
}

/** A frame to be passed over. */
export function skippableFrame(content: Uint8Array): Buffer {
  const head = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** As the collector's file exporter frames what it compresses, and its protobuf. */
export function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(message.length);
  return Buffer.concat([head, message]);
}

function blockHeader(size: number, type: 0 | 1, last: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | (last ? 1 : 0), 0, 3);
  return header;
}
