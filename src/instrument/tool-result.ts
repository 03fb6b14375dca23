const envelopes = ['result', 'output', 'response', 'content', 'structuredContent', 'value', 'json'];
/** A text without any of these words says nothing of a failure, so it need not be parsed. */
const failureWords = /"(?:error|isError|is_error|success|ok)\\*"/;
const longestLooked = 262_144;

/**
 * Whether a tool's result itself says that the call failed: an `error` that is there, `isError`, `success: false`, also
 * inside an envelope. `undefined` where it is too long to be looked at. Words in text are no failure.
 *
 * @example
 * resultFailed('{"isError":true}'); // true
 * resultFailed('{"log":"0 errors"}'); // false
 */
export function resultFailed(result: unknown): boolean | undefined {
  if (typeof result === 'string' && result.length > longestLooked) return undefined;
  return failing(result, 0);
}

function failing(result: unknown, depth: number): boolean {
  if (depth > 4) return false;
  if (typeof result === 'string') return failureWords.test(result) && failing(structure(result), depth + 1);
  if (typeof result !== 'object' || result === null) return false;
  if (Array.isArray(result)) return result.some((block) => failing(blockContent(block), depth + 1));
  const fields = result as Readonly<Record<string, unknown>>;
  if (isThere(fields['error']) || fields['isError'] === true || fields['is_error'] === true) return true;
  if (fields['success'] === false || fields['ok'] === false) return true;
  return envelopes.some((key) => typeof fields[key] === 'object' && failing(fields[key], depth + 1));
}

function structure(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list of content blocks is an envelope; a list of data is data. */
function blockContent(block: unknown): unknown {
  if (typeof block !== 'object' || block === null) return undefined;
  const { text, json } = block as { readonly text?: unknown; readonly json?: unknown };
  return text ?? json;
}

function isThere(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}
