import type { Attributes } from './attributes.ts';
import { displayName } from './display-name.ts';
import type { Span } from './span.ts';

/**
 * Tempo cuts a text value at this many bytes by default, without a mark and also in the middle of a character, so that
 * up to three bytes less may be left of it.
 */
const tempoCut = 2_048;

/**
 * Names each text value of a span that a backend has probably cut: 2,045 to 2,048 bytes long and not JSON.
 *
 * @example
 * cutValues(span); // ['attribute gen_ai.input.messages of 00f067aa0ba902b7 cut at 2048 bytes']
 */
export function cutValues(span: Span): string[] {
  const found: string[] = [];
  const look = (attributes: Attributes, where: string): void => {
    for (const [key, value] of attributes) {
      if (typeof value === 'string' && isCut(value)) {
        found.push(cutLoss(where, key, span.spanId));
      }
    }
  };
  look(span.attributes, 'attribute');
  look(span.resource.attributes, 'resource attribute');
  look(span.scope.attributes, 'scope attribute');
  for (const event of span.events) look(event.attributes, 'event attribute');
  for (const link of span.links) look(link.attributes, 'link attribute');
  return found;
}

/** The sentence that names such a loss. */
export function cutLoss(where: string, key: string, spanId: string): string {
  return `${where} ${displayName(key)} of ${spanId} cut at ${tempoCut} bytes`;
}

function isCut(value: string): boolean {
  return mayBeCut(value) && !isJson(value);
}

/** Whether a text is so long as one that was cut. */
export function mayBeCut(value: string): boolean {
  // A UTF-16 unit is one to three bytes.
  if (value.length * 3 < tempoCut - 3 || value.length > tempoCut) return false;
  const bytes = Buffer.byteLength(value);
  // A character that was cut in two reads as U+FFFD, three bytes where one to three were left.
  if (bytes < tempoCut - 3 || bytes > tempoCut + 2) return false;
  return bytes <= tempoCut || value.endsWith('\uFFFD');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
