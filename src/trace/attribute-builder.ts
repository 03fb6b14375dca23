import { noAttributes, ShapedAttributes, type ShapeNode, type ShapeTree } from './attribute-shape.ts';
import type { AttributeMap, AttributeValue } from './attributes.ts';
import { decoded, type PendingValue } from './pending-text.ts';

/** Gathers attributes one by one. May be used again after `finish`. */
export class AttributeBuilder {
  readonly shapes: ShapeTree;
  /** Where the sequence of keys stands; `undefined` once it is one without a shape. */
  node: ShapeNode | undefined;
  private readonly values: PendingValue[] = [];
  private count = 0;
  private keys: string[] = [];

  constructor(shapes: ShapeTree) {
    this.shapes = shapes;
    this.node = shapes.root;
  }

  add(key: string, value: AttributeValue): void {
    if (this.node !== undefined) {
      const next = this.shapes.step(this.node, key);
      if (next === undefined || next.repeats) {
        this.keys = this.node.path();
        this.node = undefined;
      } else this.node = next;
    }
    if (this.node === undefined) this.keys.push(key);
    this.values[this.count] = value;
    this.count += 1;
  }

  /** The same for a key that is known to be `node`'s. */
  addAt(node: ShapeNode, value: PendingValue): void {
    this.node = node;
    this.values[this.count] = value;
    this.count += 1;
  }

  /** What was gathered; `onRepeat` hears of keys that stand twice, by position. Of these the last value counts. */
  finish(onRepeat: (position: number) => void): AttributeMap {
    const { node, keys, count } = this;
    this.node = this.shapes.root;
    if (count === 0) return noAttributes;
    this.count = 0;
    const values = this.values.slice(0, count);
    if (node !== undefined) return new ShapedAttributes(node.shape, values);
    this.keys = [];
    const map = new Map<string, AttributeValue>();
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i] as string;
      if (map.has(key)) onRepeat(i);
      map.set(key, decoded(values[i] as PendingValue));
    }
    return map;
  }
}
