import type { AttributeValue } from './attributes.ts';

/** One entry of `tags` or `fields` of Jaeger's JSON. */
export interface JaegerTag {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
}

/** How bytes are written: base64 by the API, hex in an Elasticsearch document. */
export type BinaryForm = 'base64' | 'hex';

/** The entries that are well-formed, and how many are not. */
export function tagsOf(list: unknown): { tags: JaegerTag[]; unreadable: number } {
  if (list === undefined || list === null) return { tags: [], unreadable: 0 };
  if (!Array.isArray(list)) return { tags: [], unreadable: 1 };
  const tags: JaegerTag[] = [];
  for (const entry of list) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { key, type, value } = entry as { key?: unknown; type?: unknown; value?: unknown };
    if (typeof key === 'string') tags.push({ key, type: typeof type === 'string' ? type.toLowerCase() : '', value });
  }
  return { tags, unreadable: list.length - tags.length };
}

/** An Elasticsearch document may hold tags as an object too, with `@` where the keys had dots. */
export function tagsOfObject(object: unknown): JaegerTag[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return [];
  return Object.entries(object).map(([key, value]) => ({ key: key.replaceAll('@', '.'), type: '', value }));
}

/** The value in the type that the tag names; in an Elasticsearch document every value is a text. */
export function tagValue({ type, value }: JaegerTag, binary: BinaryForm): AttributeValue {
  if (type === 'bool' && typeof value === 'string') return value === 'true';
  if (type === 'int64' && typeof value === 'string') return integerOrText(value);
  if (type === 'float64' && typeof value === 'string') return doubleOrText(value);
  if (type === 'binary' && typeof value === 'string') return new Uint8Array(Buffer.from(value, binary));
  if (typeof value === 'bigint' && isSafe(value)) return Number(value);
  return plainValue(value, 0);
}

function plainValue(value: unknown, depth: number): AttributeValue {
  if (typeof value !== 'object' || value === null) return scalarValue(value);
  if (depth >= 100) return null;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, plainValue(item, depth + 1)]));
}

function scalarValue(value: unknown): AttributeValue {
  const known = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
  return known || typeof value === 'bigint' ? (value as AttributeValue) : null;
}

function integerOrText(text: string): AttributeValue {
  if (!/^[+-]?\d{1,30}$/.test(text)) return text;
  const exact = BigInt(text);
  return isSafe(exact) ? Number(exact) : exact;
}

function doubleOrText(text: string): AttributeValue {
  if (/^[+-]?inf(inity)?$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = Number(text);
  return Number.isNaN(value) && text !== 'NaN' ? text : value;
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}
