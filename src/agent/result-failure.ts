import { isObject, parsed } from './content.ts';
import type { Json } from './run.ts';

/** A result whose text holds none of these shows no failure: it need not be parsed. */
export const failureWord: RegExp = /[eE]rror|[sS]uccess|"ok|\\u00/;

/**
 * Whether a tool's result itself says that the call failed: an `error` that is there, `isError`, a JSON-RPC error,
 * `success: false`. Words in text are no failure: "0 errors" is a fine answer.
 */
export function showsFailure(result: Json | undefined): boolean {
  return failing(result, 0);
}

function failing(result: Json | undefined, depth: number): boolean {
  if (depth > 4) return false;
  if (typeof result === 'string') return /^\s*[{[]/.test(result) && failing(structure(result), depth + 1);
  if (Array.isArray(result)) return blocks(result as readonly Json[]).some((block) => failing(block, depth + 1));
  if (!isObject(result)) return false;
  if (errorThere(result['error'])) return true;
  if (result['isError'] === true || result['is_error'] === true) return true;
  if (result['success'] === false || result['ok'] === false) return true;
  // Envelopes that frameworks and MCP put around a result.
  return ['result', 'output', 'response', 'content', 'structuredContent', 'value', 'json'].some(
    (key) => typeof result[key] === 'object' && failing(result[key], depth + 1),
  );
}

function structure(text: string): Json | undefined {
  const value = parsed(text);
  return typeof value === 'string' ? undefined : value;
}

function errorThere(error: Json | undefined): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

/** A list of content blocks is an envelope; a list of data is data. */
function blocks(list: readonly Json[]): readonly Json[] {
  return list.flatMap((item) => {
    if (!isObject(item)) return [];
    const held = [item['text'], item['json']].find((value) => value !== undefined);
    return held === undefined || held === null ? [] : [held];
  });
}

/** The value that a tool gave, without the envelope of a single content block. */
export function unwrapped(result: Json | undefined): Json | undefined {
  if (!Array.isArray(result) || result.length !== 1) return result;
  const [only] = result as readonly Json[];
  if (!isObject(only)) return result;
  if (only['json'] !== undefined) return only['json'];
  return typeof only['text'] === 'string' ? parsed(only['text']) : result;
}
