import { isAsymmetricMatcher } from './asymmetric-matcher.ts';
import type { AttributeValue } from './attributes.ts';

/**
 * A test of a text: the text itself, or one of its forms. Upper and lower case differ. In `like` each `*` stands for any
 * characters, also none (there are no regular expressions: their worst case has no bound).
 */
export type TextTest =
  | string
  | { readonly oneOf: readonly string[] }
  | { readonly not: string | readonly string[] }
  | TextForm;

type TextForm =
  | { readonly startsWith: string }
  | { readonly endsWith: string }
  | { readonly contains: string }
  | { readonly like: string };

interface RangeTest {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

type FormTest = TextForm | RangeTest;

/** A test of an attribute. All but `exists: false` need it to be there. */
export type AttributeTest =
  | string
  | number
  | boolean
  | TextTest
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly not: string | number | boolean | readonly (string | number | boolean)[] }
  | { readonly exists: boolean }
  | RangeTest;

export type ValueTest = (value: AttributeValue | undefined) => boolean;

/** What a test asks is found out once, not for every value. */
export function valueTest(test: AttributeTest): ValueTest {
  if (typeof test !== 'object') return (value) => same(value, test);
  if (isAsymmetricMatcher(test)) return (value) => test.asymmetricMatch(value);
  if ('exists' in test) return (value) => (value !== undefined) === test.exists;
  if ('oneOf' in test) return (value) => test.oneOf.some((one) => same(value, one));
  if ('not' in test) {
    const unwanted = [test.not].flat();
    return (value) => value !== undefined && !unwanted.some((one) => same(value, one));
  }
  return formTest(test);
}

function formTest(test: FormTest): ValueTest {
  if ('startsWith' in test) return ofText((text) => text.startsWith(test.startsWith));
  if ('endsWith' in test) return ofText((text) => text.endsWith(test.endsWith));
  if ('contains' in test) return ofText((text) => text.includes(test.contains));
  if ('like' in test) return ofText((text) => isLike(text, test.like));
  return (value) => value !== undefined && inRange(value, test);
}

function ofText(test: (text: string) => boolean): ValueTest {
  return (value) => typeof value === 'string' && test(value);
}

function same(value: AttributeValue | undefined, wanted: string | number | boolean): boolean {
  return typeof value === 'bigint' && typeof wanted === 'number'
    ? value === BigInt(Math.trunc(wanted)) && Number.isInteger(wanted)
    : value === wanted;
}

function inRange(value: AttributeValue, { atLeast, atMost }: RangeTest): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  return !(atLeast !== undefined && !(value >= atLeast)) && !(atMost !== undefined && !(value <= atMost));
}

/** Each part between two `*` is sought after the one before: no step back, so linear but for the search of a part. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return text === pattern;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
