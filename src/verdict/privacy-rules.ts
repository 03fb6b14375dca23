import type { PrivacyRules } from '../trace/privacy/privacy-violations.ts';
import { Sentinel } from '../trace/privacy/sentinel.ts';

/** Enough of a sentinel's beginning to know it by, where it was cut off. */
const cutShare = 0.5;

export interface PrivacyGivens {
  readonly mode: 'metadata' | 'content';
  readonly ceilingBytes?: number | undefined;
  readonly allow: readonly string[];
  readonly canaries: readonly string[];
  readonly secrets: readonly string[];
  readonly forbid: Readonly<Record<string, string>>;
}

/** The rules that parameters name, ready to be applied. */
export function privacyRules(givens: PrivacyGivens): PrivacyRules {
  return {
    mode: givens.mode,
    ceilingBytes: givens.ceilingBytes,
    canaries: givens.canaries.map((text) => new Sentinel(text, cutShare)),
    secrets: givens.secrets.map((text) => new Sentinel(text)),
    forbidden: Object.entries(givens.forbid).map(([name, source]) => ({ name, pattern: new RegExp(source, 'iu') })),
    allowed: allowedKeys(givens.allow),
    allowedPlaces: new Set(givens.allow),
  };
}

/** Keys by name, or by a beginning that ends in `*`. */
export function allowedKeys(patterns: readonly string[]): (key: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const starts = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (key) => exact.has(key) || starts.some((start) => key.startsWith(start));
}
