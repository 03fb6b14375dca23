import { sameBytes } from './byte-compare.ts';

/** Longer ones are hardly ever repeated. */
const longest = 64;

/**
 * Bytes that tend to be the same as last time (an id, a name, a model): they are then compared instead of decoded, and
 * what they mean is kept once for all.
 */
export class RepeatedBytes<Value> {
  private readonly bytes: DataView = new DataView(new ArrayBuffer(longest));
  private length = -1;
  private value: Value | undefined = undefined;
  private misses = 0;
  private readonly mostMisses: number;

  /** @param mostMisses after so many different ones in a row it is not tried again */
  constructor(mostMisses: number) {
    this.mostMisses = mostMisses;
  }

  /** What these bytes mean, if they are those of last time. */
  match(view: DataView, from: number, to: number): Value | undefined {
    const { length } = this;
    if (to - from !== length || !sameBytes(view, from, this.bytes, length)) return undefined;
    this.misses = 0;
    return this.value;
  }

  remember(view: DataView, from: number, to: number, value: Value): void {
    const length = to - from;
    if (length > longest || this.misses > this.mostMisses) return;
    this.misses += 1;
    for (let i = 0; i < length; i += 1) this.bytes.setUint8(i, view.getUint8(from + i));
    this.length = length;
    this.value = value;
  }
}
