/** Whether `length` bytes from `at` are those that `expected` starts with. Four at a time: most of a message is compared so. */
export function sameBytes(view: DataView, at: number, expected: DataView, length: number): boolean {
  const words = length & ~3;
  for (let i = 0; i < words; i += 4) {
    if (view.getUint32(at + i, true) !== expected.getUint32(i, true)) return false;
  }
  for (let i = words; i < length; i += 1) {
    if (view.getUint8(at + i) !== expected.getUint8(i)) return false;
  }
  return true;
}

/** Whether no byte from `from` to `to` has its highest bit set. */
export function isAscii(view: DataView, from: number, to: number): boolean {
  let bits = 0;
  let at = from;
  for (const last = to - 8; at <= last; at += 8) bits |= view.getInt32(at, true) | view.getInt32(at + 4, true);
  for (; at < to; at += 1) bits |= view.getUint8(at);
  return (bits & 0x8080_8080) === 0;
}

/** A view of all of these bytes. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
