import type { AttributeMap, AttributeValue } from '../attributes.ts';
import { contentRole } from './content-keys.ts';
import { textsIn } from './place-texts.ts';
import { isPlaceholder } from './placeholder.ts';
import { isDataField, isReasoningField, isReasoningPart, isReasoningType, printsReasoning } from './reasoning.ts';
import type { Place } from './span-places.ts';

const words = /reasoning|thinking|thought|redacted_?content|encrypted_content|<think/i;
const partType = /\.type$/;

/** Whether a place holds a model's raw reasoning. `siblings`: the other places of the same span. */
export function isRawReasoning(place: Place, siblings: ReadonlyMap<string, AttributeValue>): boolean {
  if (place.kind === 'key' || place.kind === 'scope' || place.kind === 'trace state') return false;
  const texts = textsIn(place.value).filter(({ text }) => text !== '' && !isPlaceholder(text));
  if (texts.length === 0) return false;
  const role = contentRole(place.key);
  if (role === 'reasoning') return true;
  if (isFlattenedReasoning(place.key, siblings)) return true;
  if (role === 'arguments' || role === 'result' || role === 'definitions' || role === 'header') return false;
  if (isReasoningField(place.key.slice(place.key.lastIndexOf('.') + 1), place.value)) return true;
  return holds(toPlain(place.value), 0);
}

/** `….message_content.text` beside `….message_content.type` = reasoning. */
function isFlattenedReasoning(key: string, siblings: ReadonlyMap<string, AttributeValue>): boolean {
  const cut = key.lastIndexOf('.message_content.');
  if (cut === -1 || partType.test(key)) return false;
  return isReasoningType(siblings.get(`${key.slice(0, cut)}.message_content.type`));
}

function toPlain(value: AttributeValue): unknown {
  if (Array.isArray(value)) return value.map((member) => toPlain(member));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries([...(value as AttributeMap)].map(([key, member]) => [key, toPlain(member)]));
}

function holds(value: unknown, depth: number): boolean {
  if (depth > 40) return false;
  if (typeof value === 'string') return words.test(value) && inText(value, depth);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((member) => holds(member, depth + 1));
  const record = value as Readonly<Record<string, unknown>>;
  if (isReasoningPart(record) && hasWords(record)) return true;
  return Object.entries(record).some(
    ([key, member]) =>
      (isReasoningField(key, member) && hasWords(member)) || (!isDataField(key, member) && holds(member, depth + 1)),
  );
}

function inText(text: string, depth: number): boolean {
  if (/<(?:think|thinking|reasoning)>\s*[^<\s]/i.test(text)) return true;
  if (!/^\s*[[{"]/.test(text)) return printsReasoning(text);
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'string' && parsed === text ? false : holds(parsed, depth + 1);
  } catch {
    return printsReasoning(text);
  }
}

/** More than the mark that reasoning was there: some text other than its type. */
function hasWords(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !isPlaceholder(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key !== 'type' && key !== 'id' && hasWords(member));
}
