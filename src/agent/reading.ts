import type { Attributes, AttributeValue } from '../trace/attributes.ts';
import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import { contentOf, isObject, isPlaceholder } from './content.ts';
import type { Json, Usage } from './run.ts';

/** A fact and where it was read: an attribute key, `event gen_ai.choice`, `span name`. Keys only, never content. */
export interface Found<T> {
  readonly value: T;
  readonly from: string;
}

/** How one fact is read from a span. Cheap until called. */
export interface Reader<T> {
  (span: Span, trace: Trace): Found<T> | undefined;
  /** The attribute that it reads, as it stands, where it reads one: to look before parsing. */
  readonly raw?: (span: Span) => AttributeValue | undefined;
  /** Reading anew costs no more than remembering. */
  readonly cheap?: boolean;
}

export function cheap<T>(read: Reader<T>): Reader<T> {
  return Object.assign(read, { cheap: true });
}

/** First of the keys that holds a non-empty string. */
export function text(...keys: readonly string[]): Reader<string> {
  return cheap((span) => {
    for (const key of keys) {
      const value = span.attributes.get(key);
      if (typeof value === 'string' && value !== '') return { value, from: key };
    }
    return undefined;
  });
}

/** First of the keys that holds a finite number, also one written as a string. */
export function count(...keys: readonly string[]): Reader<number> {
  return cheap(({ attributes }) => {
    const found = counted(attributes, keys);
    return found === undefined ? undefined : { value: found.value, from: found.key };
  });
}

function counted(
  attributes: Attributes,
  keys: readonly string[],
): { readonly value: number; readonly key: string } | undefined {
  for (const key of keys) {
    const value = numberOf(attributes.get(key));
    if (value !== undefined) return { value, key };
  }
  return undefined;
}

/** First of the keys that holds content: JSON text, a structure, or plain text. Placeholders of redactors are absence. */
export function content(...keys: readonly string[]): Reader<Json> {
  const raw = (span: Span): AttributeValue | undefined => {
    for (const key of keys) {
      const value = span.attributes.get(key);
      if (value !== undefined && !isPlaceholder(value)) return value;
    }
    return undefined;
  };
  const read: Reader<Json> = (span) => {
    for (const key of keys) {
      const value = contentOf(span.attributes.get(key));
      if (value !== undefined) return { value, from: key };
    }
    return undefined;
  };
  return Object.assign(read, { raw });
}

/** Token counts; nothing where neither input nor output is told. */
export function usage(keys: Readonly<Record<keyof Usage, readonly string[]>>): Reader<Usage> {
  return cheap(({ attributes }) => {
    const input = counted(attributes, keys.input);
    const output = counted(attributes, keys.output);
    const from = input?.key ?? output?.key;
    if (from === undefined) return undefined;
    return {
      value: {
        input: input?.value ?? null,
        output: output?.value ?? null,
        cachedInput: counted(attributes, keys.cachedInput)?.value ?? null,
        reasoning: counted(attributes, keys.reasoning)?.value ?? null,
      },
      from,
    };
  });
}

/** First word of a list: an array of strings, JSON text of one, comma text, or a plain word. */
export function firstWord(...keys: readonly string[]): Reader<string> {
  return cheap((span) => {
    for (const key of keys) {
      const value = wordOf(span.attributes.get(key));
      if (value !== undefined) return { value, from: key };
    }
    return undefined;
  });
}

export function firstOf<T>(...readers: readonly Reader<T>[]): Reader<T> {
  const first: Reader<T> = (span, trace) => {
    for (const read of readers) {
      const found = read(span, trace);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const raw = readers[0]?.raw;
  return Object.assign(first, {
    cheap: readers.every((read) => read.cheap === true),
    ...(raw === undefined ? {} : { raw }),
  });
}

/** What follows a prefix in the span's name: `execute_tool lookup` → `lookup`. */
export function nameAfter(...prefixes: readonly string[]): Reader<string> {
  return cheap(({ name }) => {
    for (const prefix of prefixes) {
      if (name.length > prefix.length && name.startsWith(prefix)) {
        return { value: name.slice(prefix.length), from: 'span name' };
      }
    }
    return undefined;
  });
}

export const spanName: Reader<string> = cheap(({ name }) =>
  name === '' ? undefined : { value: name, from: 'span name' },
);

/** The same fact, seen through a function; `undefined` where it finds nothing. */
export function through<A, B>(read: Reader<A>, change: (value: A) => B | undefined): Reader<B> {
  return (span, trace) => {
    const found = read(span, trace);
    if (found === undefined) return undefined;
    const value = change(found.value);
    return value === undefined ? undefined : { value, from: found.from };
  };
}

/** A member of an object found elsewhere: `member(content('metadata'), 'thread_id')`. */
export function member(read: Reader<Json>, ...path: readonly string[]): Reader<Json> {
  return (span, trace) => {
    const found = read(span, trace);
    const value = found === undefined ? undefined : at(found.value, path);
    return found === undefined || value === undefined || value === null
      ? undefined
      : { value, from: `${found.from} ${path.join('.')}` };
  };
}

export function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Array.isArray(here) ? here[Number(key)] : (here as { readonly [key: string]: Json })[key];
  }
  return here;
}

/** Where an empty object stands for content that was left out. */
export function unlessEmpty(read: Reader<Json>): Reader<Json> {
  return through(read, (value) => (isObject(value) && Object.keys(value).length === 0 ? undefined : value));
}

export function asText(read: Reader<Json>): Reader<string> {
  return through(read, (value) => (typeof value === 'string' && value !== '' ? value : undefined));
}

export function asCount(read: Reader<Json>): Reader<number> {
  return through(read, (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined));
}

function numberOf(value: AttributeValue | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function wordOf(value: AttributeValue | undefined): string | undefined {
  if (Array.isArray(value)) return value.find((item): item is string => typeof item === 'string' && item !== '');
  if (typeof value !== 'string' || value === '') return undefined;
  if (!/^[["]/.test(value)) return value.split(',')[0]?.trim();
  const parsed = contentOf(value);
  const first = Array.isArray(parsed) ? parsed[0] : parsed;
  return typeof first === 'string' && first !== '' ? first : undefined;
}
