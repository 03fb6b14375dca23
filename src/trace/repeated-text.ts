/** Longer texts are hardly ever repeated. */
const longest = 64;

/**
 * Text that tends to be the same as last time (an id, a name, a model): its bytes are then compared instead of decoded,
 * and one string is kept for all.
 */
export class RepeatedText {
  private readonly bytes: Uint8Array = new Uint8Array(longest);
  private length = -1;
  private text = '';
  private misses = 0;
  private readonly mostMisses: number;

  /** @param mostMisses after so many different texts in a row it is not tried again */
  constructor(mostMisses: number) {
    this.mostMisses = mostMisses;
  }

  /** The text of these bytes, if it is that of last time. */
  match(buffer: Uint8Array, from: number, to: number): string | undefined {
    const { bytes, length } = this;
    if (to - from !== length) return undefined;
    for (let i = 0; i < length; i += 1) if (buffer[from + i] !== bytes[i]) return undefined;
    this.misses = 0;
    return this.text;
  }

  remember(buffer: Uint8Array, from: number, to: number, text: string): void {
    const length = to - from;
    if (length > longest || this.misses > this.mostMisses) return;
    this.misses += 1;
    for (let i = 0; i < length; i += 1) this.bytes[i] = buffer[from + i] as number;
    this.length = length;
    this.text = text;
  }
}
