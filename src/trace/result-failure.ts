const deepest = 4;
/** Envelopes that frameworks and MCP put around a result. */
const envelopes = ['result', 'output', 'response', 'content', 'structuredContent', 'value', 'json'];

const failureWord = /[eE]rror|[sS]uccess|"ok|\\u00/;
const failureString = /(?:error|is_?[eE]rror|success|ok)"/y;
/** How such a string begins: `e`, `i`, `o`, `s`. */
const firstLetters: readonly number[] = [101, 105, 111, 115];

/** False for the text of a result that shows no failure, whatever it means: it need not be parsed. */
export function mayShowFailure(text: string): boolean {
  if (text.includes('\\')) return failureWord.test(text);
  // Without escapes the words stand at the starts of strings. Going from quote to quote is three times as fast.
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    failureString.lastIndex = at + 1;
    if (firstLetters.includes(text.charCodeAt(at + 1)) && failureString.test(text)) return true;
  }
  return false;
}

/**
 * Whether a tool's result itself says that the call failed: an `error` that is there, `isError`, a JSON-RPC error,
 * `success: false`, also inside an envelope or in JSON text. Words in text are no failure.
 *
 * @example
 * showsFailure('{"isError":true}'); // true
 * showsFailure('{"log":"0 errors"}'); // false
 */
export function showsFailure(result: unknown): boolean {
  return failing(result, 0);
}

function failing(result: unknown, depth: number): boolean {
  if (depth > deepest) return false;
  if (typeof result === 'string') return mayShowFailure(result) && failing(structure(result), depth + 1);
  if (typeof result !== 'object' || result === null) return false;
  if (Array.isArray(result)) return result.some((block) => failing(blockContent(block), depth + 1));
  const fields = result as Fields;
  if (isThere(fields['error']) || fields['isError'] === true || fields['is_error'] === true) return true;
  if (fields['success'] === false || fields['ok'] === false) return true;
  const message = serialisedMessage(fields);
  if (message !== undefined) return message['status'] === 'error' || failing(message['content'], depth + 1);
  return envelopes.some((key) => typeof fields[key] === 'object' && failing(fields[key], depth + 1));
}

/** LangChain's message of a tool, as its serialisations write it: `{ lc, kwargs }`, `{ type: 'tool', data }`, or flat. */
function serialisedMessage(fields: Fields): Fields | undefined {
  if (fields['lc'] !== undefined && isFields(fields['kwargs'])) return fields['kwargs'];
  if (fields['type'] === 'tool' && isFields(fields['data'])) return fields['data'];
  return typeof fields['tool_call_id'] === 'string' ? fields : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a JSON text stands for; also of JSON that was written as a JSON string. */
function structure(text: string): unknown {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isThere(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

/** A list of content blocks is an envelope; a list of data is data. */
function blockContent(block: unknown): unknown {
  if (typeof block !== 'object' || block === null) return undefined;
  const { text, json } = block as { readonly text?: unknown; readonly json?: unknown };
  return text ?? json;
}
