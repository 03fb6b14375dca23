import { isRedactionMark } from './redact-text.ts';

const mark = '…[truncated]';
const markBytes = Buffer.byteLength(mark);

/**
 * The value in at most `most` UTF-8 bytes. JSON stays JSON: of a list the oldest items go first, and of the last one
 * left its texts are cut; of any other text the beginning stays.
 */
export function shorten(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const first = /\S/.exec(text)?.[0];
  if (first === '[' || first === '{' || first === '"') {
    const json = shortenJson(text, most);
    if (json !== undefined) return json;
  }
  return cut(text, most);
}

/** The beginning of a text with a mark of loss; empty where not even the mark fits. */
export function cut(text: string, most: number): string {
  if (most < markBytes) return '';
  return beginning(text, most - markBytes) + mark;
}

/** At most so many bytes of UTF-8, never half a character. */
function beginning(text: string, most: number): string {
  // No character takes less than one byte, so a first cut by length is safe.
  let end = Math.min(text.length, Math.max(0, most));
  let bytes = Buffer.byteLength(text.slice(0, end));
  while (bytes > most && end > 0) {
    // Each step drops at least what is too much, at three bytes a UTF-16 unit.
    end -= Math.max(1, Math.floor((bytes - most) / 3));
    bytes = Buffer.byteLength(text.slice(0, end));
  }
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return text.slice(0, end);
}

function shortenJson(text: string, most: number): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return shortenList(value, most);
  return shortenOne(value, most) ?? '""';
}

function shortenList(items: readonly unknown[], most: number): string {
  const texts = items.map((item) => JSON.stringify(item));
  let bytes = texts.reduce((sum, item) => sum + Buffer.byteLength(item) + 1, 1);
  let from = 0;
  while (from < texts.length - 1 && bytes > most) {
    bytes -= Buffer.byteLength(texts[from] ?? '') + 1;
    from++;
  }
  if (bytes <= most) return `[${texts.slice(from).join(',')}]`;
  const last = shortenOne(items[items.length - 1], most - 2);
  return last === undefined ? '[]' : `[${last}]`;
}

/** Cuts the texts inside one value, the longest most, until it fits; `undefined` where its bare form is too long. */
function shortenOne(value: unknown, most: number): string | undefined {
  for (let longest = most; longest >= 0; longest = longest > 16 ? Math.floor(longest / 2) : longest - 16) {
    const shorter = JSON.stringify(withTexts(value, longest));
    if (Buffer.byteLength(shorter) <= most) return shorter;
  }
  return undefined;
}

function withTexts(value: unknown, longest: number): unknown {
  if (typeof value === 'string') {
    if (value.length * 3 <= longest || Buffer.byteLength(value) <= longest) return value;
    return isRedactionMark(value) ? '' : cut(value, longest);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, longest));
  const out: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) out[key] = withTexts(item, longest);
  return out;
}
