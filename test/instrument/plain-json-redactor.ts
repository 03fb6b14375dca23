import { FieldNames } from '../../src/instrument/field-names.ts';
import type { Scope } from '../../src/instrument/redact-json.ts';
import { redactionMark, redactText } from '../../src/instrument/redact-text.ts';
import type { SecretValues } from '../../src/instrument/secret-values.ts';
import { isPlaceholder } from '../../src/trace/privacy/placeholder.ts';
import {
  isDataField,
  isReasoningField,
  isReasoningPart,
  printsReasoning,
  withoutThinkTags,
} from '../../src/trace/privacy/reasoning.ts';

const deepest = 64;
const mostNestedTexts = 3;

/**
 * What `JsonRedactor` does, written down plainly: every value is rebuilt and every rule asked at each. The fast one is
 * compared with it.
 */
export class PlainJsonRedactor {
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
  text(text: string, scope: Scope, nesting = 0): string {
    const parsed = nesting < mostNestedTexts ? structureIn(text) : undefined;
    if (parsed === undefined) return this.#plainText(text, scope);
    const before = this.redacted + this.reasoning;
    const value = this.#value(parsed.value, scope, { depth: 0, nesting: nesting + 1, key: '' });
    if (this.redacted + this.reasoning === before) return text;
    return JSON.stringify(value);
  }

  /** A value as it stands in an attribute. */
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
    if (place.key !== '' && value !== '' && this.#names.get(place.key).isSensitive && !isPlaceholder(value)) {
      this.redacted++;
      return redactionMark('secret-key');
    }
    return this.text(value, scope, place.nesting);
  }

  #number(value: number, place: Place): unknown {
    if (place.key === '' || !this.#names.get(place.key).holdsSecretNumber) return value;
    this.redacted++;
    return redactionMark('secret-key');
  }

  #array(values: readonly unknown[], scope: Scope, place: Place): unknown[] {
    const inside = { ...place, depth: place.depth + 1 };
    const kept = scope === 'message' ? values.filter((item) => !isRecord(item) || !isReasoningPart(item)) : values;
    this.reasoning += values.length - kept.length;
    return kept.map((item) => this.#value(item, scope, inside));
  }

  #record(record: Readonly<Record<string, unknown>>, scope: Scope, place: Place): unknown {
    if (scope === 'message' && isReasoningPart(record)) {
      this.reasoning++;
      return { type: record['type'] ?? 'reasoning' };
    }
    const out: Record<string, unknown> = {};
    const named = nameOfPair(record);
    const covered = this.#names.get(place.key).isSensitive;
    for (const key of Object.keys(record)) {
      const value = record[key];
      if (scope === 'message' && isReasoningField(key, value)) {
        this.reasoning++;
        continue;
      }
      const under = named !== undefined && key === 'value' ? named : key;
      const inner = { ...place, depth: place.depth + 1, key: covered ? place.key : under };
      const { text: name, count } = this.#names.get(key).safe;
      this.redacted += count;
      setField(out, name, this.#value(value, isDataField(key, value) ? 'data' : scope, inner));
    }
    return out;
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
  /** The key that this value stands under; a sensitive one covers all below it. */
  readonly key: string;
}

const top: Place = { depth: 0, nesting: 0, key: '' };

function structureIn(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? (structureIn(value) === undefined ? undefined : { value }) : { value };
  } catch {
    return undefined;
  }
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
