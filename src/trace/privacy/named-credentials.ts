import type { FoundCredential } from './found-credential.ts';
import { isSensitiveKey } from './sensitive-keys.ts';

/** Last three letters of the names that `isSensitiveKey` knows: a cheap look before the name is cut out. */
const endings = new Uint8Array(32 * 32 * 32);
for (const ending of 'ord swd ase ode pwd ret key ial als ion kie rer ken uth otp pin ssn cvv cvc jwt ing sig ure'.split(
  ' ',
)) {
  endings[endingOf(ending, 2)] = 1;
}

function endingOf(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) & 31) << 10) | ((text.charCodeAt(last - 1) & 31) << 5) | (text.charCodeAt(last) & 31)
  );
}

const longestName = 60;
const mostFiller = 12;
const header = /(?:authorization|cookie)$/i;
const queryName = /^(?:key|code|sig|signature)$/i;
/** What a plain word or number is not: then it may be a value that merely follows a name. */
const secretLooking = /[\d!@#$%^&*_+/=~-]/;
const plainValue = /^(?:\d{1,3}(?:\.\d+)?|true|false|null|none|undefined)$/i;

/**
 * The value that follows a name such as `password` at the `:` or `=` at `at`: quoted at any depth of escaping, to the
 * end of a header's line, or bare. A quoted value without its closing quote runs to the end of the text.
 */
export function credentialAtJoint(text: string, at: number): FoundCredential | undefined {
  const nameEnd = endOfName(text, at);
  if (nameEnd === undefined) {
    return text.charCodeAt(at) === 61 ? queryParameter(text, at) : undefined;
  }
  const name = nameBefore(text, nameEnd);
  if (!isSensitiveKey(name)) return text.charCodeAt(at) === 61 ? queryParameter(text, at) : undefined;
  return valueAfter(text, at, header.test(name));
}

/** Index after the last letter of a name that may be sensitive; `undefined` where there is none. */
function endOfName(text: string, at: number): number | undefined {
  let end = at;
  while (end > 2 && at - end <= mostFiller && isFiller(text.charCodeAt(end - 1))) end--;
  if (end < 3 || endings[endingOf(text, end - 1)] === 0) return undefined;
  return end;
}

/** Space, quotes, backslash: what stands between a name and its joint. */
function isFiller(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 96;
}

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < longestName && isNamePart(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

/** Letters, digits, `_`, `-` and `.`. */
function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

function valueAfter(text: string, at: number, isHeader: boolean): FoundCredential | undefined {
  let start = at + 1;
  if (text.charCodeAt(start) === 62) start++;
  while (start - at < 10 && text.charCodeAt(start) === 32) start++;
  let escapes = 0;
  while (text.charCodeAt(start + escapes) === 92 && escapes < 64) escapes++;
  const quote = text.charAt(start + escapes);
  if (quote === '"' || quote === "'" || quote === '`') {
    const from = start + escapes + 1;
    return found(isHeader ? 'authorization' : 'secret-key', from, closingQuote(text, from, quote, escapes));
  }
  return isHeader ? headerLine(text, start) : bareValue(text, at, start);
}

/** Index of the quote that closes at the same depth of escaping, else the end of the text. */
function closingQuote(text: string, from: number, quote: string, escapes: number): number {
  let at = text.indexOf(quote, from);
  while (at !== -1) {
    let before = 0;
    while (at - before > from && text.charCodeAt(at - before - 1) === 92) before++;
    if (before <= escapes) return at - before;
    at = text.indexOf(quote, at + 1);
  }
  return text.length;
}

const lineEnd = /[^\r\n"'\\]*/y;
const bareEnd = /[^\s"'`\\&,;(){}[\]<>]*/y;

function headerLine(text: string, start: number): FoundCredential | undefined {
  lineEnd.lastIndex = start;
  lineEnd.test(text);
  const value = text.slice(start, lineEnd.lastIndex).trimEnd();
  return secretLooking.test(value) ? found('authorization', start, start + value.length) : undefined;
}

function bareValue(text: string, at: number, start: number): FoundCredential | undefined {
  bareEnd.lastIndex = start;
  bareEnd.test(text);
  const end = bareEnd.lastIndex;
  const value = text.slice(start, Math.min(end, start + 80));
  if (value.startsWith('=') || plainValue.test(value)) return undefined;
  // `password=hunter` is set; after a colon or a space a plain word is prose.
  const isSet = text.charCodeAt(at) === 61 && start === at + 1;
  if (!isSet && !(value.length >= 6 && secretLooking.test(value))) return undefined;
  return found('secret-key', start, end);
}

/** `?key=…` and `&code=…`: names that are secrets only in a URL. */
function queryParameter(text: string, at: number): FoundCredential | undefined {
  let start = at;
  while (start > 0 && at - start < 12 && isNamePart(text.charCodeAt(start - 1))) start--;
  const before = text.charCodeAt(start - 1);
  if ((before !== 63 && before !== 38) || !queryName.test(text.slice(start, at))) return undefined;
  bareEnd.lastIndex = at + 1;
  bareEnd.test(text);
  return found('query-parameter', at + 1, bareEnd.lastIndex);
}

function found(rule: string, start: number, end: number): FoundCredential | undefined {
  return end > start ? { rule, start, end } : undefined;
}

const authorityEnd = /[^\s/?#"'\\]*/y;

/** The password in `://user:password@`, by the colon before the slashes. */
export function passwordOfUrl(text: string, at: number): FoundCredential | undefined {
  if (text.charCodeAt(at + 1) !== 47 || text.charCodeAt(at + 2) !== 47) return undefined;
  authorityEnd.lastIndex = at + 3;
  authorityEnd.test(text);
  // Cut out first: to search the text itself would run past the authority, each time anew.
  const authority = text.slice(at + 3, authorityEnd.lastIndex);
  const end = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (colon === -1 || colon >= end) return undefined;
  return found('url-password', at + 4 + colon, at + 3 + end);
}

const bearer = /bearer\s{1,4}(?=[\w.~+/=:-]{0,80}[\d~+/=_])[\w.~+/=:-]{6,}/iy;
const basic = /basic\s{1,4}(?=[A-Za-z0-9+/]{0,80}(?:[\d=+/]|[a-z][A-Z]))[A-Za-z0-9+/]{6,}={0,2}/iy;

/** A cheap look before `credentialOfScheme`: false where neither word goes on with these two letters. */
export function mayBeScheme(second: number, third: number): boolean {
  return ((second | 32) === 101 && (third | 32) === 97) || ((second | 32) === 97 && (third | 32) === 115);
}

/** `Bearer …` and `Basic …`, by their first letter. */
export function credentialOfScheme(text: string, at: number): FoundCredential | undefined {
  const second = text.charCodeAt(at + 1) | 32;
  if (second !== 101 && second !== 97) return undefined;
  const pattern = second === 101 ? bearer : basic;
  pattern.lastIndex = at;
  if (!pattern.test(text)) return undefined;
  const end = pattern.lastIndex;
  const name = second === 101 ? 6 : 5;
  let start = at + name;
  while (text.charCodeAt(start) <= 32) start++;
  return found('authorization', start, end);
}
