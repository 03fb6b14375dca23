import type { FoundCredential } from './found-credential.ts';

interface Shape {
  readonly rule: string;
  /** Tried at the start of the word; holds no quantifier inside another. */
  readonly pattern: RegExp;
}

const shape = (rule: string, source: string): Shape => ({ rule, pattern: new RegExp(source, 'y') });

const openAiStyle = shape('openai-style-key', 'sk-(?=[\\w-]{0,60}\\d)[\\w-]{16,}');
const google = shape('google-key', '(?:AIza[\\w-]{30,}|AQ\\.[\\w-]{30,}|ya29\\.[\\w.-]{16,}|GOCSPX-[\\w-]{20,})');
const github = shape('github-token', '(?:gh[pousr]_[\\w.-]{20,}|github_pat_\\w{20,})');
const gitlab = shape('gitlab-token', 'gl(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent|oas|ffct)-[\\w.-]{16,}');
const slack = shape(
  'slack-token',
  '(?:xox[abeoprs]-[\\w-]{8,}|xapp-\\d-[\\w-]{8,}|hooks\\.slack\\.com\\/\\w+\\/[\\w/+-]{8,})',
);
const stripe = shape('stripe-key', '(?:[rs]k_(?:live|test|prod)_\\w{8,}|whsec_[\\w+/=-]{16,})');
const modelVendor = shape(
  'model-vendor-key',
  '(?:gsk_\\w{20,}|xai-\\w{20,}|pplx-\\w{20,}|hf_[A-Za-z0-9]{20,}|r8_\\w{20,}|lsv2_(?:pt|sk)_\\w{16,}|pylf_v\\d{1,3}_\\w{16,}|nvapi-[\\w-]{20,}|fw_[A-Za-z0-9]{20,}|dapi[0-9a-f]{32})',
);
const service = shape(
  'service-token',
  '(?:vc[piark]_\\w{20,}|npm_[A-Za-z0-9]{30,}|pypi-AgEIcHlwaS[\\w-]{16,}|SG\\.[\\w-]{16,64}\\.[\\w-]{16,}|SK[0-9a-f]{32}(?![0-9a-f])|shp(?:at|ca|pa|ss)_[0-9a-f]{20,}|lin_api_\\w{20,}|ntn_\\w{20,}|sntry[su]_[\\w=+/-]{20,}|gl(?:c|sa)_[\\w=+/-]{20,}|hv[sb]\\.[\\w-]{20,}|dckr_pat_[\\w-]{16,}|do[por]_v1_[0-9a-f]{32,}|dp\\.pt\\.\\w{20,}|cf(?:ut|at|k)_\\w{20,}|PMAK-[\\w-]{20,}|fm2_[\\w+/=]{20,}|ops_eyJ[\\w-]{20,})',
);
const aws = shape('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])');
const bedrock = shape('aws-bedrock-key', '(?:ABSK[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{16,})');
const azure = shape('azure-secret', '[\\w~.-]{3}\\dQ~[\\w~.-]{30,40}');
const jwt = shape('jwt', '(?:eyJ[\\w-]{8,8000}\\.eyJ[\\w-]{4,8000}\\.[\\w-]*|ZXlK[A-Za-z0-9+/=_-]{30,})');
const telegram = shape('telegram-token', '(?:bot)?\\d{8,10}:[A-Za-z0-9_-]{35}(?![\\w-])');
const privateKey = shape(
  'private-key',
  '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----|$)',
);

/** The word before a `-`, `_` or `.` by which a shape is known. */
const byWord: ReadonlyMap<string, Shape> = new Map([
  ...words('sk-', openAiStyle),
  ...words('AQ. ya29. GOCSPX-', google),
  ...words('ghp_ gho_ ghu_ ghs_ ghr_ github_', github),
  ...words('glpat- gldt- glrt- glcbt- glptt- glsoat- glft- glimt- glagent- gloas- glffct-', gitlab),
  ...words('xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- hooks.', slack),
  ...words('sk_ rk_ whsec_', stripe),
  ...words('gsk_ xai- pplx- hf_ r8_ lsv2_ pylf_ nvapi- fw_', modelVendor),
  ...words(
    'vcp_ vci_ vca_ vcr_ vck_ npm_ pypi- SG. shpat_ shpca_ shppa_ shpss_ lin_ ntn_ sntrys_ sntryu_ glc_ glsa_ hvs. hvb. dckr_ dop_ doo_ dor_ dp. cfut_ cfat_ cfk_ PMAK- fm2_ ops_',
    service,
  ),
  ...words('bedrock-', bedrock),
]);

function words(list: string, as: Shape): [string, Shape][] {
  return list.split(' ').map((word) => [word, as]);
}

const longestWord = 8;
/** Last letters of the words that a point follows: `AQ.`, `ya29.`, `SG.`, `hvs.`, `hvb.`, `dp.`, `hooks.` */
const beforePoint = 'Q9Gsbp';

const endings = new Uint8Array(128 * 128);
for (const word of byWord.keys()) endings[pairBefore(word, word.length - 1)] = 1;

/** A cheap look before `credentialAtSeparator`: false where no word that it knows ends in these two characters. */
export function mayEndWord(second: number, last: number): boolean {
  return endings[pairOf(second, last)] === 1;
}

/** Of two characters, of which all that count are ASCII. */
function pairOf(first: number, second: number): number {
  return ((first & 127) << 7) | (second & 127);
}

function pairBefore(text: string, at: number): number {
  return pairOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1));
}

/** The word that ends in the separator at `at`, where a credential begins with it. */
export function credentialAtSeparator(text: string, at: number): FoundCredential | undefined {
  if (text.charCodeAt(at) === 45 && text.startsWith('-----BEGIN ', at)) return tryAt(privateKey, text, at);
  // Most points end a sentence.
  if (text.charCodeAt(at) === 46 && !beforePoint.includes(text.charAt(at - 1))) return undefined;
  let start = at;
  while (start > 0 && at - start <= longestWord + 2 && isAlphanumeric(text.charCodeAt(start - 1))) start--;
  // In a URL a blank is `%20`: its digits are no part of the word.
  if (text.charCodeAt(start - 1) === 37) start += 2;
  if (start >= at || at - start > longestWord) return undefined;
  const known = byWord.get(text.slice(start, at + 1));
  return known === undefined ? undefined : tryAt(known, text, start);
}

/** A credential known by letters around `at` alone: `AKIA…`, `AIza…`, `eyJ…`. */
export function credentialAtLetter(text: string, at: number): FoundCredential | undefined {
  for (const { letters, back, as, begins } of letterRules[text.charAt(at)] ?? []) {
    const start = at - back;
    if (start < 0 || !text.startsWith(letters, start)) continue;
    if (begins && !isBorder(text, start)) continue;
    const found = tryAt(as, text, start);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface LetterRule {
  readonly letters: string;
  /** How far before the trigger the credential begins. */
  readonly back: number;
  readonly as: Shape;
  /** Must stand at the border of a word. */
  readonly begins: boolean;
}

const rule = (letters: string, back: number, as: Shape, begins = true): LetterRule => ({ letters, back, as, begins });
const letterRules: Readonly<Record<string, readonly LetterRule[]>> = {
  J: [rule('eyJ', 2, jwt)],
  K: [rule('AKIA', 1, aws), rule('ABSK', 3, bedrock), rule('ZXlK', 3, jwt), rule('SK', 1, service)],
  S: [rule('ASIA', 1, aws)],
  B: [rule('ABIA', 1, aws)],
  C: [rule('ACCA', 1, aws)],
  T: [rule('A3T', 2, aws)],
  z: [rule('AIza', 2, google)],
  p: [rule('dapi', 2, modelVendor)],
  '~': [rule('', 5, azure, false)],
};

/** Letters at which `credentialAtLetter` has something to try. */
export const triggerLetters: string = Object.keys(letterRules).join('');

const letterPairs = new Uint8Array(128 * 128);
for (const [trigger, rules] of Object.entries(letterRules)) {
  // Of an Azure secret the letter before the trigger stands in the pattern.
  for (const { letters, back } of rules) letterPairs[pairBefore((letters.charAt(back - 1) || 'Q') + trigger, 2)] = 1;
}

/** A cheap look before `credentialAtLetter`: false where no rule has these two letters. */
export function mayHoldLetters(before: number, letter: number): boolean {
  return letterPairs[pairOf(before, letter)] === 1;
}

/** `123456789:AA…` of a bot, by the colon in it. */
export function telegramTokenAtColon(text: string, at: number): FoundCredential | undefined {
  let start = at;
  while (start > 0 && at - start < 11 && isDigit(text.charCodeAt(start - 1))) start--;
  if (at - start < 8 || at - start > 10) return undefined;
  return tryAt(telegram, text, start);
}

function tryAt({ rule: name, pattern }: Shape, text: string, start: number): FoundCredential | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? { rule: name, start, end: pattern.lastIndex } : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** No letter, digit, `-` or `_` before it, or a character that is escaped as in a URL. */
function isBorder(text: string, start: number): boolean {
  return start === 0 || !isRunning(text.charCodeAt(start - 1)) || text.charCodeAt(start - 3) === 37;
}

function isRunning(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 95;
}
