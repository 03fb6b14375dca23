const quote = 34;
const backslash = 92;

/**
 * A JSON text and a place in it. Finds where values end and does not say what they are: whether what lies between is
 * valid JSON is found out by whoever parses it.
 */
export class JsonText {
  readonly text: string;
  at = 0;
  /** The first backslash at or after `searchedFrom`; the end of the text where there is none. */
  private nextBackslash = -1;
  private searchedFrom = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The quote that closes the string whose first character stands at `from`; -1 where the text ends before. */
  stringEnd(from: number): number {
    const { text } = this;
    let end = text.indexOf('"', from);
    if (end < 0 || !this.escapesIn(from, end)) return end;
    while (end >= 0 && isEscaped(text, from, end)) end = text.indexOf('"', end + 1);
    return end;
  }

  /** Each part of the text is searched once, also after a step back. */
  escapesIn(from: number, to: number): boolean {
    if (this.nextBackslash < from) {
      const found = this.text.indexOf('\\', from);
      this.nextBackslash = found < 0 ? this.text.length : found;
      this.searchedFrom = from;
    } else if (from < this.searchedFrom) {
      const found = this.text.slice(from, this.searchedFrom).indexOf('\\');
      if (found >= 0) this.nextBackslash = from + found;
      this.searchedFrom = from;
    }
    return this.nextBackslash < to;
  }

  skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  /** Steps over one character, if it stands here. */
  take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }

  /** Steps over this text, if it stands here. Comparing a slice is many times faster than `startsWith`. */
  takeText(expected: string): boolean {
    const end = this.at + expected.length;
    if (this.text.slice(this.at, end) !== expected) return false;
    this.at = end;
    return true;
  }

  /** The value that starts here, as it stands in the text; `undefined` where the text ends before. */
  rawValue(): string | undefined {
    const from = this.at;
    const code = this.text.charCodeAt(from);
    if (code === quote) this.at = this.stringEnd(from + 1) + 1;
    else if (code === 123 || code === 91) this.at = this.closing(from) + 1;
    else this.at = this.scalarEnd(from);
    return this.at > from ? this.text.slice(from, this.at) : undefined;
  }

  /** The bracket that closes the one at `from`; -1 where there is none. */
  private closing(from: number): number {
    const { text } = this;
    let depth = 0;
    for (let i = from; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === quote) {
        i = this.stringEnd(i + 1);
        if (i < 0) return -1;
      } else if (code === 123 || code === 91) depth += 1;
      else if (code === 125 || code === 93) {
        depth -= 1;
        if (depth === 0) return i;
      }
    }
    return -1;
  }

  private scalarEnd(from: number): number {
    let to = from;
    while (isScalarCode(this.text.charCodeAt(to))) to += 1;
    return to;
  }
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

/** Of a number, `true`, `false` or `null`. */
function isScalarCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    code === 46 ||
    code === 45 ||
    code === 43 ||
    code === 69
  );
}

/** A text of its own: a slice keeps the whole text that it was taken from. */
export function flatCopy(slice: string): string {
  return JSON.parse(JSON.stringify(slice)) as string;
}
