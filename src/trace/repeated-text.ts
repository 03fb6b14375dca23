/**
 * Text that tends to be the same as last time (an id, a name): its bytes are then compared instead of decoded, and one
 * string is kept for all.
 */
export class RepeatedText {
  private bytes: Uint8Array = new Uint8Array(0);
  private text = '';

  /** The text of these bytes, if it is that of last time. */
  match(buffer: Uint8Array, from: number, to: number): string | undefined {
    const { bytes } = this;
    const { length } = bytes;
    if (to - from !== length || length === 0) return undefined;
    for (let i = 0; i < length; i += 1) if (buffer[from + i] !== bytes[i]) return undefined;
    return this.text;
  }

  remember(buffer: Uint8Array, from: number, to: number, text: string): void {
    this.bytes = buffer.slice(from, to);
    this.text = text;
  }
}
