/** How much more than the ceiling is looked at, so that a credential across the cut is seen whole. */
const margin = 4_096;
/** A text that is this many times as long as the ceiling is not even scanned. */
const scannable = 16;

/**
 * A text cut down so far that looking at it is cheap: at most about the ceiling in characters. Nothing longer is ever
 * parsed. Of a JSON list the newest items are kept; another JSON value that is too long is left out, since half of it
 * would be no JSON.
 */
export function bound(text: string, ceiling: number): string {
  if (text.length <= ceiling) return text;
  const first = text.charCodeAt(firstCharacter(text));
  const isList = first === 91;
  const isRecord = first === 123 || first === 34;
  if (text.length > ceiling * scannable) return isList ? '[]' : isRecord ? '{}' : text.slice(0, ceiling + margin);
  if (isList) return newestItems(text, ceiling) ?? '[]';
  return isRecord ? '{}' : text.slice(0, ceiling + margin);
}

function firstCharacter(text: string): number {
  let at = 0;
  while (at < 64 && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** The last items of a JSON list that fit; `undefined` where the text is no list. Does not parse. */
function newestItems(text: string, ceiling: number): string | undefined {
  const starts: number[] = [firstCharacter(text) + 1];
  let depth = 0;
  for (let at = firstCharacter(text); at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at);
    else if (code === 44 && depth === 1) starts.push(at + 1);
    else depth += depthStep(code);
    if (depth === 0) return newest(text, starts, at, ceiling);
  }
  return undefined;
}

function newest(text: string, starts: readonly number[], end: number, ceiling: number): string {
  const from = starts.find((start) => end - start <= ceiling);
  return from === undefined ? '[]' : `[${text.slice(from, end)}]`;
}

/** One deeper at `[` and `{`, one up at `]` and `}`. */
function depthStep(code: number): number {
  if (code === 91 || code === 123) return 1;
  return code === 93 || code === 125 ? -1 : 0;
}

function endOfString(text: string, quote: number): number {
  let at = text.indexOf('"', quote + 1);
  while (at !== -1) {
    let escapes = 0;
    while (text.charCodeAt(at - escapes - 1) === 92) escapes++;
    if (escapes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
