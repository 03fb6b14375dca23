import { isPlaceholder } from '../trace/privacy/placeholder.ts';
import {
  isDataField,
  isFreeOfReasoning,
  isReasoningField,
  isReasoningPart,
  printsReasoning,
  withoutThinkTags,
} from '../trace/privacy/reasoning.ts';
import { type FieldName, FieldNames } from './field-names.ts';
import { redactionMark, redactText } from './redact-text.ts';
import type { SecretValues } from './secret-values.ts';

const deepest = 64;
const mostNestedTexts = 3;
/** In the place of reasoning that goes with its field or item. */
const leftOut = Symbol('left out');

/** `message`: what a model reads or writes, where reasoning is taken out; `data`: arguments, results and all else. */
export type Scope = 'message' | 'data';

/** Takes credentials and reasoning out of JSON values. Counts both. One instance for one value. */
export class JsonRedactor {
  redacted = 0;
  /** Parts and fields of reasoning that were left out. */
  reasoning = 0;
  readonly #secrets: SecretValues;
  readonly #names: FieldNames;

  constructor(secrets: SecretValues, names: FieldNames = new FieldNames(secrets)) {
    this.#secrets = secrets;
    this.#names = names;
  }

  /** A text that may be JSON, also JSON inside JSON; it stays JSON where it was. */
  text(text: string, given: Scope, nesting = 0): string {
    // Most texts hold no word of reasoning: then there is nothing to look for in their parts.
    const scope = given === 'message' && isFreeOfReasoning(text) ? 'data' : given;
    const parsed = nesting < mostNestedTexts ? structureIn(text) : undefined;
    if (parsed === undefined) return this.#plainText(text, scope);
    const before = this.redacted + this.reasoning;
    const value = this.#value(parsed.value, scope, { depth: 0, nesting: nesting + 1, name: undefined, copies: false });
    if (this.redacted + this.reasoning === before) return text;
    return JSON.stringify(value);
  }

  /** A value as it stands in an attribute; what is handed back shares nothing with it. */
  value(value: unknown, scope: Scope): unknown {
    return typeof value === 'string' ? this.text(value, scope) : this.#value(value, scope, top);
  }

  #value(value: unknown, scope: Scope, place: Place): unknown {
    if (place.depth > deepest) throw new RangeError('nested too deeply to be redacted');
    if (typeof value === 'string') return this.#string(value, scope, place);
    if (typeof value === 'number') return this.#number(value, place);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Uint8Array) return `[${value.length} bytes]`;
    if (Array.isArray(value)) return this.#array(value, scope, place);
    return this.#record(value as Readonly<Record<string, unknown>>, scope, place);
  }

  #string(value: string, scope: Scope, place: Place): string {
    if (value !== '' && place.name?.isSensitive === true && !isPlaceholder(value)) {
      this.redacted++;
      return redactionMark('secret-key');
    }
    return this.text(value, scope, place.nesting);
  }

  #number(value: number, place: Place): unknown {
    if (place.name?.holdsSecretNumber !== true) return value;
    this.redacted++;
    return redactionMark('secret-key');
  }

  #array(values: readonly unknown[], scope: Scope, place: Place): readonly unknown[] {
    const inside = below(place);
    let out: unknown[] | undefined = place.copies ? [] : undefined;
    for (let index = 0; index < values.length; index++) {
      const item = values[index];
      const safe = this.#item(item, scope, inside);
      if (out === undefined && safe !== item) out = values.slice(0, index);
      if (out !== undefined && safe !== leftOut) out.push(safe);
    }
    return out ?? values;
  }

  #item(item: unknown, scope: Scope, place: Place): unknown {
    if (scope === 'data' || !isRecord(item) || !isReasoningPart(item)) return this.#value(item, scope, place);
    this.reasoning++;
    return leftOut;
  }

  #record(record: Readonly<Record<string, unknown>>, scope: Scope, place: Place): unknown {
    if (scope === 'message' && isReasoningPart(record)) {
      this.reasoning++;
      return { type: record['type'] ?? 'reasoning' };
    }
    const inside = below(place);
    const keys = Object.keys(record);
    let out: Record<string, unknown> | undefined = place.copies ? {} : undefined;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const value = record[key];
      const own = this.#names.get(key);
      inside.name = this.#nameOver(record, key, own, place);
      const safe = this.#field(value, key, scope, inside);
      if (safe === value && own.isPlain && out === undefined) continue;
      out ??= fieldsBefore(record, keys, index);
      if (safe !== leftOut) this.#put(out, own, safe);
    }
    return out ?? record;
  }

  #field(value: unknown, key: string, scope: Scope, place: Place): unknown {
    if (scope === 'data') return this.#value(value, scope, place);
    if (isReasoningField(key, value)) {
      this.reasoning++;
      return leftOut;
    }
    return this.#value(value, isDataField(key, value) ? 'data' : scope, place);
  }

  #put(out: Record<string, unknown>, name: FieldName, value: unknown): void {
    this.redacted += name.safe.count;
    setField(out, name.safe.text, value);
  }

  /** The name that decides of a field: its own, that of a pair whose value it is, or a sensitive one further up. */
  #nameOver(record: Readonly<Record<string, unknown>>, key: string, own: FieldName, place: Place): FieldName {
    if (place.name?.isSensitive === true) return place.name;
    const pair = key === 'value' ? nameOfPair(record) : undefined;
    return pair === undefined ? own : this.#names.get(pair);
  }

  #plainText(text: string, scope: Scope): string {
    let spoken = text;
    if (scope === 'message') {
      if (printsReasoning(text)) {
        this.reasoning++;
        return '[withheld:reasoning]';
      }
      spoken = withoutThinkTags(text);
      if (spoken !== text) this.reasoning++;
    }
    const { text: safe, count } = redactText(spoken, this.#secrets);
    this.redacted += count;
    return safe;
  }
}

interface Place {
  readonly depth: number;
  /** How often JSON was read out of a text on the way here. */
  readonly nesting: number;
  /** What is known of the name that this value stands under. */
  name: FieldName | undefined;
  /** The value belongs to somebody else: what is made of it is a copy, also where nothing was taken out. */
  readonly copies: boolean;
}

const top: Place = { depth: 0, nesting: 0, name: undefined, copies: true };

function below({ depth, nesting, name, copies }: Place): Place {
  return { depth: depth + 1, nesting, name, copies };
}

function structureIn(text: string): { readonly value: unknown } | undefined {
  if (!beginsAsJson(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? (structureIn(value) === undefined ? undefined : { value }) : { value };
  } catch {
    return undefined;
  }
}

/** With `{`, `[` or `"`, after any space. */
function beginsAsJson(text: string): boolean {
  let at = 0;
  while (text.charCodeAt(at) <= 32) at++;
  const first = text.charCodeAt(at);
  return first === 123 || first === 91 || first === 34;
}

/** The fields that came before this one, as they were: none of them had to be changed. */
function fieldsBefore(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  end: number,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (let index = 0; index < end; index++) setField(out, keys[index] as string, record[keys[index] as string]);
  return out;
}

/** A field of whatever name; an assignment would take this one for the prototype. */
function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Headers and settings are often lists of `{ name, value }`. */
function nameOfPair({ name, key }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name === 'string') return name;
  return typeof key === 'string' ? key : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
