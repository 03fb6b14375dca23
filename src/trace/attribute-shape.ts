import type { AttributeMap, AttributeValue } from './attributes.ts';
import { viewOf } from './byte-compare.ts';
import { PendingText, type PendingValue } from './pending-text.ts';
import { RepeatedBytes } from './repeated-bytes.ts';

/** Beyond this many remembered key sequences (hostile or content in keys) new ones are no longer shared. */
const largestShapeTree = 20_000;

/**
 * A sequence of attribute keys that many spans share, as spans of one instrumentation do. A span then keeps its values
 * only, and looking up a key costs one hash.
 */
export class AttributeShape {
  readonly keys: readonly string[];
  private positions: Map<string, number> | undefined = undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /** Position of a key, or -1. */
  positionOf(key: string): number {
    if (this.positions === undefined) {
      this.positions = new Map();
      for (let i = 0; i < this.keys.length; i += 1) this.positions.set(this.keys[i] as string, i);
    }
    return this.positions.get(key) ?? -1;
  }
}

/** Longer texts are hardly ever repeated. */
const longestShared = 64;
/** A key that had so many different texts in a row holds an id or the like. */
const mostMisses = 8;

/** So many keys are looked at one by one before a key is decoded. */
const mostLooked = 8;

/** One key of a sequence that has been seen. Its fields are plain ones: every attribute read passes here. */
export class ShapeNode {
  readonly key: string;
  readonly parent: ShapeNode | undefined;
  readonly length: number;
  /** The same key stands further up: a list of attributes with this sequence has no shape. */
  readonly repeats: boolean;
  /** The key that followed here last time: nearly always the next one again. */
  likely: ShapeNode | undefined = undefined;
  /** The first few that ever followed. */
  readonly children: ShapeNode[] = [];
  /** The short text that this key had last time: often the same again, and then shared. */
  private lastText = '';
  /** The same for a value that comes as bytes. Made when first needed: most nodes are met by one source form only. */
  private wireValue: RepeatedBytes<AttributeValue> | undefined = undefined;
  private encodedKey: DataView | undefined = undefined;
  private others: Map<string, ShapeNode> | undefined = undefined;
  private ownShape: AttributeShape | undefined = undefined;

  constructor(key: string, parent: ShapeNode | undefined) {
    this.key = key;
    this.parent = parent;
    this.length = parent === undefined ? 0 : parent.length + 1;
    this.repeats = parent !== undefined && (parent.repeats || parent.path().includes(key));
  }

  child(key: string): ShapeNode | undefined {
    return this.others?.get(key);
  }

  add(node: ShapeNode): void {
    this.others ??= new Map();
    this.others.set(node.key, node);
    if (this.children.length < mostLooked) this.children.push(node);
  }

  /** UTF-8 of the key. */
  get keyBytes(): DataView {
    this.encodedKey ??= viewOf(new TextEncoder().encode(this.key));
    return this.encodedKey;
  }

  /** One copy of a short text that is the same again. */
  shared(text: string): string {
    if (text.length > longestShared) return text;
    if (text !== this.lastText) this.lastText = text;
    return this.lastText;
  }

  /** What this key holds in bytes, if it is the same as last time; else `undefined`, and `rememberBytes` is due. */
  sharedBytes(view: DataView, from: number, to: number): AttributeValue | undefined {
    return this.wireValue?.match(view, from, to);
  }

  rememberBytes(view: DataView, from: number, to: number, value: AttributeValue): void {
    this.wireValue ??= new RepeatedBytes(mostMisses);
    this.wireValue.remember(view, from, to, value);
  }

  get shape(): AttributeShape {
    this.ownShape ??= new AttributeShape(this.path());
    return this.ownShape;
  }

  path(): string[] {
    const keys: string[] = new Array(this.length);
    for (let node: ShapeNode | undefined = this; node?.parent !== undefined; node = node.parent) {
      keys[node.length - 1] = node.key;
    }
    return keys;
  }
}

/** A longer sequence of keys is not remembered. */
const longestShape = 256;

/** The key sequences seen by one reading. Keep one for all lines of a source. */
export class ShapeTree {
  readonly root: ShapeNode = new ShapeNode('', undefined);
  private size = 0;

  /** The node for `key` after `node`; `undefined` when the tree is full. */
  step(node: ShapeNode, key: string): ShapeNode | undefined {
    const likely = node.likely;
    if (likely !== undefined && likely.key === key) return likely;
    let next = node.child(key);
    if (next === undefined) {
      if (this.size >= largestShapeTree || node.length >= longestShape) return undefined;
      this.size += 1;
      next = new ShapeNode(key, node);
      node.add(next);
    }
    node.likely = next;
    return next;
  }
}

/** Attributes as a read-only map over a flat list of values. */
export class ShapedAttributes implements AttributeMap {
  private readonly shape: AttributeShape;
  private readonly list: PendingValue[];

  /** @param values are kept, and may change in it */
  constructor(shape: AttributeShape, values: PendingValue[]) {
    this.shape = shape;
    this.list = values;
  }

  get size(): number {
    return this.list.length;
  }

  get(key: string): AttributeValue | undefined {
    const position = this.shape.positionOf(key);
    return position < 0 ? undefined : this.at(position);
  }

  private at(position: number): AttributeValue {
    const value = this.list[position] as PendingValue;
    if (!(value instanceof PendingText)) return value;
    const text = value.read();
    this.list[position] = text;
    return text;
  }

  has(key: string): boolean {
    return this.shape.positionOf(key) >= 0;
  }

  /** The keys in order: one and the same list for all spans of this shape. */
  get sharedKeys(): readonly string[] {
    return this.shape.keys;
  }

  keys(): MapIterator<string> {
    return this.shape.keys[Symbol.iterator]() as MapIterator<string>;
  }

  values(): MapIterator<AttributeValue> {
    return this.list.map((_, i) => this.at(i))[Symbol.iterator]() as MapIterator<AttributeValue>;
  }

  entries(): MapIterator<[string, AttributeValue]> {
    return this.shape.keys
      .map((key, i): [string, AttributeValue] => [key, this.at(i)])
      [Symbol.iterator]() as MapIterator<[string, AttributeValue]>;
  }

  [Symbol.iterator](): MapIterator<[string, AttributeValue]> {
    return this.entries();
  }

  forEach(
    visit: (value: AttributeValue, key: string, map: ReadonlyMap<string, AttributeValue>) => void,
    self?: unknown,
  ): void {
    const { keys } = this.shape;
    for (let i = 0; i < keys.length; i += 1) visit.call(self, this.at(i), keys[i] as string, this);
  }
}

/** No attributes. */
export const noAttributes: AttributeMap = new ShapedAttributes(new AttributeShape([]), []);
