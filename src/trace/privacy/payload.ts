import type { AttributeValue } from '../attributes.ts';
import { contentRole } from './content-keys.ts';
import { isEncodedProse } from './encoded-prose.ts';
import { type MetadataClass, metadataClass } from './metadata-keys.ts';
import { isId, isLabel, isMetadataString, isWord } from './metadata-values.ts';
import { numbersIn, textsIn } from './place-texts.ts';
import { isPlaceholder } from './placeholder.ts';
import { isSpanName, operationOf } from './span-names.ts';
import type { Place } from './span-places.ts';

const mostNumbers = 32;
const timeLike = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]+)?$/;
const plainUrl = /^[a-z][a-z0-9+.-]{1,19}:\/\/[\w.:[\]-]*(?:\/[\w./~%-]*)?$/i;

/**
 * Whether a place holds what metadata does not: words of people or models, arguments, results, texts of errors. Keys
 * that nobody has read may hold numbers, identifiers and single words.
 */
export function isPayload(place: Place): boolean {
  const { kind, key, value } = place;
  if (kind === 'attribute') return isPayloadAttribute(key, value);
  if (typeof value !== 'string') return !isHarmless(value);
  if (value === '' || isPlaceholder(value)) return false;
  if (kind === 'span name' || kind === 'event name') return !isName(value);
  if (kind === 'trace state') return value.length > 512;
  return !isWord(value) && !(kind === 'scope' && isLabel(value));
}

/** A label as a person gave it to an agent or tool; after an operation only what the convention puts there. */
function isName(name: string): boolean {
  return isSpanName(name) || (operationOf(name) === undefined && isLabel(name));
}

function isPayloadAttribute(key: string, value: AttributeValue): boolean {
  const as = metadataClass(key);
  if (as !== undefined) return !isMetadata(as, value);
  if (contentRole(key) !== undefined) return textsIn(value).some(({ text }) => text !== '' && !isPlaceholder(text));
  return !isHarmless(value);
}

function isMetadata(as: MetadataClass, value: AttributeValue): boolean {
  if (typeof value !== 'object' || value === null) {
    return typeof value !== 'string' || isMetadataString(as, value) || (isAddress(as) && plainUrl.test(value));
  }
  const texts = textsIn(value);
  return texts.every(({ text }) => isMetadataString(as, text)) && numbersIn(value) <= mostNumbers;
}

/** Of a URL a path is no payload here; credentials and queries are. */
function isAddress(as: MetadataClass): boolean {
  return as === 'host' || as === 'origin';
}

function isHarmless(value: AttributeValue): boolean {
  if (numbersIn(value) > mostNumbers) return false;
  return textsIn(value).every(({ text }) => isHarmlessText(text));
}

function isHarmlessText(text: string): boolean {
  if (text === '' || isPlaceholder(text) || timeLike.test(text)) return true;
  if (isEncodedProse(text)) return false;
  return isWord(text) || (text.length <= 160 && (isId(text) || plainUrl.test(text)));
}

/** Bytes of content at a place, in UTF-8; metadata are none. */
export function contentTexts(place: Place): readonly string[] {
  if (!place.ofSpan || place.kind === 'key') return [];
  if (place.kind === 'attribute' && metadataClass(place.key) !== undefined) return [];
  if (place.kind === 'span name' || place.kind === 'event name') {
    return typeof place.value === 'string' && place.value.length > 80 ? [place.value] : [];
  }
  return textsIn(place.value).map(({ text }) => text);
}
