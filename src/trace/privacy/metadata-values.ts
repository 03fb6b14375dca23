import { findCredentials } from './find-credentials.ts';
import type { MetadataClass } from './metadata-keys.ts';
import { isPlaceholder } from './placeholder.ts';

const longestLabel = 80;
const longestId = 256;
const mostLabelWords = 5;

/** Code writes such tokens: identifiers, model names, paths of modules, versions. No white space, no `@` inside. */
const tokenPattern = /^[@<[({/]{0,2}[\p{L}\p{N}_$][\p{L}\p{N}_$.:/()<>{}[\]+,~|-]*$/u;
const hashPattern = /^(?:[a-z][a-z0-9-]{2,15}:)?(?:[0-9a-f]{4,128}|[A-Za-z0-9+/_-]{22,88}={0,2})$/;
const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** Beginnings by which a credential is known even where it is the whole value. */
const credentialStart =
  /^(?:sk-|sk_|rk_|A[KS]IA[A-Z0-9]{12}|ABSK|AIza|ya29\.|GOCSPX-|gh[pousr]_|github_pat_|gl[a-z]{2,4}-\w{16}|xox[a-z]-|xapp-|eyJ|ZXlK|hf_|gsk_|xai-\w{20}|pplx-\w{16}|r8_|lsv2_|npm_\w{16}|pypi-AgE|SG\.|shp[a-z]{2}_|nvapi-|dapi[0-9a-f]{16}|hv[sb]\.|glsa_|glc_|ntn_|lin_api_|dckr_pat_|whsec_|PMAK-)/;

/** Longest that a run of digits in a name may be: beyond it stands an account, a card or a telephone number. */
const digitRun = /\d{9}/;

/**
 * A single word that code would write, of at most 80 characters: an operation, a model, a version.
 *
 * @example
 * isWord('gpt-5.2-mini'); // true
 * isWord('please refund me'); // false
 */
export function isWord(value: string): boolean {
  return (
    value.length > 0 &&
    value.length <= longestLabel &&
    (tokenPattern.test(value) || numberPattern.test(value)) &&
    !digitRun.test(value) &&
    !isCredential(value)
  );
}

/** Known as a credential, or as the beginning of one. */
function isCredential(value: string): boolean {
  return credentialStart.test(value) || findCredentials(value).length > 0;
}

/**
 * The name of an agent, tool or model: at most five words and 80 characters, no sentence.
 *
 * @example
 * isLabel('Customer Support Agent'); // true
 * isLabel('My locker code is 4471 and I live at 9 Elm Row'); // false
 */
export function isLabel(value: string): boolean {
  if (value === '') return true;
  if (value.length > longestLabel) return false;
  if (!value.includes(' ')) return isWord(value);
  const words = value.split(' ');
  if (words.length > mostLabelWords || !words.every((word) => word === '-' || word === '&' || isWord(word)))
    return false;
  return !isCredential(value);
}

/** Characters of identifiers, by code. */
const idCharacters = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/+=~|#<>-') {
  idCharacters[character.charCodeAt(0)] = 1;
}

/** An opaque identifier of at most 256 characters: no white space, no `@`, not a known credential. */
export function isId(value: string): boolean {
  const { length } = value;
  if (length > longestId) return false;
  for (let index = 0; index < length; index++) {
    const code = value.charCodeAt(index);
    if (code > 127 || idCharacters[code] === 0) return false;
  }
  return !isCredential(value);
}

/** A list of names, as JSON text or with commas. */
export function isLabels(value: string): boolean {
  if (value.length > 2_000) return false;
  const inner = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value;
  if (isCredential(inner)) return false;
  return inner.split(',').every((item) => isLabel(item.trim().replace(/^(["'])(.*)\1$/, '$2')));
}

/** A JSON object whose leaves are numbers, booleans or null. */
export function isCounts(value: string): boolean {
  if (value.length > 2_000 || !/^\{[\w\s{}":,.+-]*\}$/.test(value)) return false;
  // With the keys taken away no string may be left.
  const leaves = value.replace(/"[A-Za-z]\w{0,39}"\s*:/g, ':');
  return !leaves.includes('"') && leaves.split(/[^\w.+-]+/).every((leaf) => leaf === '' || isLeaf(leaf));
}

function isLeaf(leaf: string): boolean {
  return numberPattern.test(leaf) || leaf === 'null' || leaf === 'true' || leaf === 'false';
}

const stringRules: Record<MetadataClass, (value: string) => boolean> = {
  word: (value) => value === '' || isWord(value),
  label: isLabel,
  labels: isLabels,
  id: isId,
  number: (value) => numberPattern.test(value) || value === 'true' || value === 'false' || value === '',
  counts: isCounts,
  time: (value) => timePattern.test(value),
  hash: (value) => hashPattern.test(value) && !isCredential(value),
  host: (value) => isHost(value),
  origin: (value) => originOf(value) === value,
};

/** True where a string under a key of this class is metadata as it stands. */
export function isMetadataString(as: MetadataClass, value: string): boolean {
  return stringRules[as](value) || isPlaceholder(value);
}

function isHost(value: string): boolean {
  if (value.length > 255 || isCredential(value)) return false;
  return /^(?:[\w.-]+|\[?[0-9a-fA-F:.%]+\]?|\/[\w./-]+)(?::\d{1,5})?$/.test(value);
}

/**
 * Scheme, host and port of a URL; `undefined` where it is none.
 *
 * @example
 * originOf('https://user:pass@api.example.com/v1/x?key=1'); // 'https://api.example.com'
 */
export function originOf(url: string): string | undefined {
  if (url.length > 8_192) return undefined;
  const parts = /^([a-z][a-z0-9+.-]{0,19}:\/\/)(?:[^/?#]*@)?([^/?#@\s]*)/i.exec(url);
  const [, scheme, host] = parts ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return isHost(host) ? scheme + host : undefined;
}

/** Host and port, of a host as such or of a URL. */
export function hostOf(value: string): string | undefined {
  if (isHost(value)) return value;
  const origin = originOf(value);
  return origin === undefined ? undefined : origin.slice(origin.indexOf('://') + 3);
}
