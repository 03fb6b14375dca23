import { formsOf, unescaped } from './spellings.ts';

/** Fewer characters of a beginning than these are anybody's. */
const shortestCut = 8;

/** What stands behind a text that was cut off: nothing, the end of a quotation, or a mark that says so. */
const cutOff = /^(?:$|[\\"'`]|…|\.{3}|\s*[[(<‹{]?\s*(?:…|\.{3}|(?:\w+ ){0,4}(?:truncated|cut|omitted|more)\b))/i;
/** The same of base64, whose last character holds bits that were cut off. */
const codeCutOff = /^[\w+/-]?=*(?:$|[\\"'`]|…|\.{3})/;

interface Spelling {
  readonly whole: string;
  /** Its beginning that is enough, where the text was cut off; empty where none is. */
  readonly start: string;
}

/** Finds a text in any spelling; also its beginning, where the value was cut off within it. */
export class Sentinel {
  readonly #spellings: readonly Spelling[];

  /** `cutTo`: how much of its beginning is enough to know it by, as a share; 1 asks for all of it. */
  constructor(text: string, cutTo = 1) {
    const starts = formsOf(startOf(text, cutTo));
    const spellings = formsOf(text).map((whole, i) => ({ whole, start: starts[i] ?? '' }));
    this.#spellings = spellings.filter(({ whole }) => whole !== '');
  }

  isIn(text: string): boolean {
    if (this.#isSpelled(text)) return true;
    const plain = unescaped(text);
    return plain !== undefined && this.#isSpelled(plain);
  }

  #isSpelled(text: string): boolean {
    return this.#spellings.some(({ whole, start }) => text.includes(whole) || isCutIn(text, whole, start));
  }
}

/** Whole characters only: half a surrogate pair has no spelling. */
function startOf(text: string, cutTo: number): string {
  const length = Math.max(Math.min(text.length, shortestCut), Math.ceil(text.length * cutTo));
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length + 1 : length);
}

function isCutIn(text: string, whole: string, start: string): boolean {
  if (start.length === whole.length || start === '') return false;
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    let end = start.length;
    while (end < whole.length && text[at + end] === whole[end]) end += 1;
    const rest = text.slice(at + end, at + end + 40);
    if (cutOff.test(rest) || codeCutOff.test(rest)) return true;
  }
  return false;
}
