import type { AttributeMap, AttributeValue } from '../trace/attributes.ts';
import type { Json } from './run.ts';

/** What redactors leave behind: absence, not content. */
const placeholders: ReadonlySet<string> = new Set([
  '',
  '__REDACTED__',
  '<REDACTED>',
  '<redacted>',
  '[REDACTED]',
  '[Redacted]',
  'REDACTED',
  'readacted',
  'redacted',
  'N/A',
  '<not serializable>',
]);

const longestPlaceholder = Math.max(...[...placeholders].map(({ length }) => length));

/**
 * The JSON value of an attribute that holds content: JSON text (also encoded twice), a structure, or plain text as a
 * string. `undefined` for nothing and for a redactor's placeholder.
 */
export function contentOf(value: AttributeValue | undefined): Json | undefined {
  if (value === undefined || isPlaceholder(value)) return undefined;
  return typeof value === 'string' ? parsed(value) : plain(value);
}

/** Nothing, or what a redactor leaves behind. */
export function isPlaceholder(value: AttributeValue): boolean {
  return value === null || (typeof value === 'string' && value.length <= longestPlaceholder && placeholders.has(value));
}

/** JSON text as its value; any other text as it stands. */
export function parsed(text: string): Json {
  const value = tryParse(text);
  if (typeof value === 'string' && /^\s*[{[]/.test(value)) return tryParse(value) ?? value;
  return value === undefined ? text : value;
}

/** Deeper nesting is nobody's arguments; canonical JSON refuses it from 1,000 levels on. */
const deepestContent = 900;

function tryParse(text: string): Json | undefined {
  if (!/^\s*[{["\-0-9tfn]/.test(text) || nestsTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function nestsTooDeep(text: string): boolean {
  if (text.length < 2 * deepestContent || opens(text, '[') + opens(text, '{') <= deepestContent) return false;
  let depth = 0;
  for (const [bracket] of text.replace(/"(?:[^"\\]|\\.)*"/gs, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > deepestContent) return true;
  }
  return false;
}

/** How often a bracket stands in a text, counted up to the bound. */
function opens(text: string, bracket: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0 && count <= deepestContent; at = text.indexOf(bracket, at + 1))
    count += 1;
  return count;
}

function plain(value: AttributeValue): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return (value as readonly AttributeValue[]).map(plain);
  return Object.fromEntries([...(value as AttributeMap)].map(([key, item]) => [key, plain(item)]));
}

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
