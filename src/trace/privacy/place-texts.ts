import type { AttributeValue } from '../attributes.ts';

/** A text inside a value, and the key that it stands under. */
export interface PlacedText {
  readonly key: string;
  readonly text: string;
}

const deepest = 100;

/** All texts of a value, however deep; keys of maps are texts too. */
export function textsIn(value: AttributeValue, key = ''): PlacedText[] {
  const out: PlacedText[] = [];
  collect(value, key, out, 0);
  return out;
}

function collect(value: AttributeValue, key: string, out: PlacedText[], depth: number): void {
  if (typeof value === 'string') out.push({ key, text: value });
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  if (value instanceof Uint8Array) {
    out.push({ key, text: latin(value) });
  } else if (Array.isArray(value)) {
    for (const member of value as readonly AttributeValue[]) collect(member, key, out, depth + 1);
  } else {
    for (const [name, member] of value as ReadonlyMap<string, AttributeValue>) {
      if (!/^\w{1,60}$/.test(name)) out.push({ key: '', text: name });
      collect(member, name, out, depth + 1);
    }
  }
}

/** Bytes as text, so that what stands in them is found; a mebibyte of them at most. */
function latin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_048_576));
}

/** Numbers in a value: many of them together are an embedding. */
export function numbersIn(value: AttributeValue): number {
  if (typeof value === 'number') return 1;
  if (!Array.isArray(value)) return 0;
  return (value as readonly AttributeValue[]).reduce<number>((sum, member) => sum + numbersIn(member), 0);
}

const encoder = new TextEncoder();

/** Bytes in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}
