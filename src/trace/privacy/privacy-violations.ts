import type { AttributeValue } from '../attributes.ts';
import type { LogRecord } from '../log-record.ts';
import type { Span } from '../span.ts';
import { findCredentials } from './find-credentials.ts';
import { metadataClass } from './metadata-keys.ts';
import { contentTexts, isPayload } from './payload.ts';
import { byteLength, textsIn } from './place-texts.ts';
import { isPlaceholder } from './placeholder.ts';
import { isRawReasoning } from './raw-reasoning.ts';
import { isSensitiveKey } from './sensitive-keys.ts';
import type { Sentinel } from './sentinel.ts';
import { type Place, placesOf, placesOfLog } from './span-places.ts';
import { unescaped } from './spellings.ts';

export type PrivacyCode = 'credential' | 'canary' | 'forbidden' | 'payload' | 'reasoning' | 'over-ceiling';

/** Something that should not have left, and where it stands. No content. */
export interface PrivacyViolation {
  readonly code: PrivacyCode;
  /** `attribute gen_ai.input.messages`, `status message`, `span name`. */
  readonly place: string;
  /** Of a credential: by what it was known. Of a canary: its number. Of a forbidden text: the name of the rule. */
  readonly rule: string;
  /** Attribute key, for allow lists; empty where the place is none. */
  readonly key: string;
  /** Of `over-ceiling`: bytes found. */
  readonly bytes: number;
}

export interface PrivacyRules {
  readonly mode: 'metadata' | 'content';
  /** Content mode: most bytes of content on one span. */
  readonly ceilingBytes: number | undefined;
  /** May stand nowhere. */
  readonly canaries: readonly Sentinel[];
  /** Never, in any mode. */
  readonly secrets: readonly Sentinel[];
  readonly forbidden: readonly { readonly name: string; readonly pattern: RegExp }[];
  /** Attribute keys that are looked at for credentials and canaries only. */
  readonly allowed: (key: string) => boolean;
  /** The same of places without a key, by name: `status message`. */
  readonly allowedPlaces: ReadonlySet<string>;
}

/** All violations of a span, place by place. */
export function spanViolations(span: Span, rules: PrivacyRules): PrivacyViolation[] {
  return violationsIn(placesOf(span), span.attributes, rules);
}

/** All violations of a log record. */
export function logViolations(log: LogRecord, rules: PrivacyRules): PrivacyViolation[] {
  return violationsIn(placesOfLog(log), log.attributes, rules);
}

function violationsIn(
  places: readonly Place[],
  siblings: ReadonlyMap<string, AttributeValue>,
  rules: PrivacyRules,
): PrivacyViolation[] {
  const found = places.flatMap((place) => placeViolations(place, siblings, rules));
  const { ceilingBytes, mode } = rules;
  if (mode !== 'content' || ceilingBytes === undefined) return found;
  const bytes = places.flatMap(contentTexts).reduce((sum, text) => sum + byteLength(text), 0);
  if (bytes > ceilingBytes) found.push({ code: 'over-ceiling', place: 'content', rule: '', key: '', bytes });
  return found;
}

/** Those of one place; `siblings`: the other attributes of its span. */
export function placeViolations(
  place: Place,
  siblings: ReadonlyMap<string, AttributeValue>,
  rules: PrivacyRules,
): PrivacyViolation[] {
  const hits = textHits(place, rules);
  const isAllowed = place.key === '' ? rules.allowedPlaces.has(place.name) : rules.allowed(place.key);
  if (hits.length === 0 && !isAllowed) {
    if (rules.mode === 'metadata' && isPayload(place)) hits.push({ code: 'payload', rule: '' });
    if (rules.mode === 'content' && isRawReasoning(place, siblings)) hits.push({ code: 'reasoning', rule: '' });
  }
  return hits.map(({ code, rule }) => ({ code, rule, place: place.name, key: place.key, bytes: 0 }));
}

type Hit = Pick<PrivacyViolation, 'code' | 'rule'>;

/** What is known by the texts of a place, whatever its key allows. */
function textHits(place: Place, { secrets, canaries, forbidden }: PrivacyRules): Hit[] {
  const placed = textsIn(place.value, place.key).filter(({ text }) => text !== '' && !isPlaceholder(text));
  const texts = placed.map(({ text }) => text);
  const isAnywhere = (sentinel: Sentinel): boolean => texts.some((text) => sentinel.isIn(text));
  const hits: Hit[] = placed.flatMap(({ key, text }) =>
    credentialsIn(key, text).map((rule) => ({ code: 'credential' as const, rule })),
  );
  hits.push(...secrets.filter(isAnywhere).map(() => ({ code: 'credential' as const, rule: 'registered' })));
  const numbers = canaries.flatMap((canary, index) => (isAnywhere(canary) ? [String(index + 1)] : []));
  hits.push(...numbers.map((rule) => ({ code: 'canary' as const, rule })));
  const named = forbidden.filter(({ pattern }) => texts.some((text) => matches(pattern, text)));
  hits.push(...named.map(({ name }) => ({ code: 'forbidden' as const, rule: name })));
  return hits;
}

/** The rules by which credentials are known in one text that stands under a key. */
function credentialsIn(key: string, text: string): readonly string[] {
  if (key !== '' && metadataClass(key) === undefined && isSensitiveKey(key)) return ['secret-key'];
  const found = findCredentials(text);
  const plain = unescaped(text);
  const better = plain === undefined ? [] : findCredentials(plain);
  return (better.length > found.length ? better : found).map(({ rule }) => rule);
}

function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  if (pattern.test(text)) return true;
  const plain = unescaped(text);
  pattern.lastIndex = 0;
  return plain !== undefined && pattern.test(plain);
}
