import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { type ContentRole, contentRole } from '../trace/privacy/content-keys.ts';
import { metadataClass } from '../trace/privacy/metadata-keys.ts';
import { isReasoningField, isReasoningType } from '../trace/privacy/reasoning.ts';
import { isSensitiveKey } from '../trace/privacy/sensitive-keys.ts';
import { bound } from './bound.ts';
import { FieldNames } from './field-names.ts';
import { JsonRedactor, type Scope } from './redact-json.ts';
import { redactionMark, redactText } from './redact-text.ts';
import { roughSize } from './rough-size.ts';
import type { SecretValues } from './secret-values.ts';
import type { Tally } from './tally.ts';
import { VerdictCache } from './verdict-cache.ts';

/** A user's own rule: what it returns goes on; where it throws or returns no string the value is withheld. */
export type CustomRedaction = (text: string) => string;

interface KeyPlan {
  /** The key without credentials. */
  readonly name: string;
  readonly role: ContentRole | undefined;
  readonly scope: Scope;
  readonly reasoning: boolean;
  readonly sensitive: boolean;
  readonly metadata: boolean;
}

const withheldMark = '[withheld]';
const partType = '.message_content.type';

/** Makes values fit to leave in content mode: bounded, without credentials, without raw reasoning. Fails closed. */
export class ContentRedactor {
  readonly #secrets: SecretValues;
  readonly #names: FieldNames;
  readonly #ceiling: number;
  readonly #custom: CustomRedaction | undefined;
  readonly #plans: VerdictCache<KeyPlan>;

  constructor(secrets: SecretValues, ceiling: number, custom: CustomRedaction | undefined) {
    this.#secrets = secrets;
    this.#names = new FieldNames(secrets);
    this.#ceiling = ceiling;
    this.#custom = custom;
    this.#plans = new VerdictCache((key) => planOf(key, redactText(bound(key, 1_024), secrets).text));
  }

  /** A copy of the attributes; reasoning is left out, what fails is withheld. */
  attributes(from: Attributes, tally: Tally): Attributes {
    const out: Attributes = {};
    const reasoningParts = partsOfReasoning(from);
    for (const key of Object.keys(from)) {
      const plan = this.#plans.get(key);
      if (plan.reasoning || reasoningParts.some((part) => key.startsWith(part) && !key.endsWith('.type'))) {
        tally.withheld++;
        continue;
      }
      const value = this.#value(from, key, plan, tally);
      if (plan.name !== key) tally.redacted++;
      if (value !== undefined) out[plan.name] = value;
    }
    return out;
  }

  /** A text that stands by itself: a name, a status message. */
  text(text: string, scope: Scope, tally: Tally): string {
    return this.#guarded(text, scope, tally);
  }

  #value(from: Attributes, key: string, plan: KeyPlan, tally: Tally): AttributeValue | undefined {
    try {
      const value = from[key];
      if (plan.sensitive && !plan.metadata && value !== undefined && typeof value !== 'boolean') {
        tally.redacted++;
        return redactionMark('secret-key');
      }
      if (typeof value === 'string') return this.#guarded(value, plan.scope, tally);
      if (typeof value !== 'object' || value === null) return value;
      return this.#structure(value, plan.scope, tally);
    } catch {
      tally.withheld++;
      return withheldMark;
    }
  }

  #structure(value: object, scope: Scope, tally: Tally): AttributeValue | undefined {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
      return value.map((item: string) => this.#guarded(item, scope, tally));
    }
    const size = roughSize(value, this.#ceiling);
    if (size > this.#ceiling) {
      tally.truncated++;
      return withheldMark;
    }
    const redactor = new JsonRedactor(this.#secrets, this.#names);
    const safe = redactor.value(value, scope);
    tally.redacted += redactor.redacted;
    tally.withheld += redactor.reasoning;
    return safe as AttributeValue;
  }

  #guarded(text: string, scope: Scope, tally: Tally): string {
    try {
      const bounded = bound(text, this.#ceiling);
      if (bounded !== text) tally.truncated++;
      const redactor = new JsonRedactor(this.#secrets, this.#names);
      let safe = redactor.text(bounded, scope);
      if (this.#custom !== undefined) {
        safe = stringOrThrow(this.#custom(safe));
      }
      tally.redacted += redactor.redacted;
      tally.withheld += redactor.reasoning;
      return safe;
    } catch {
      tally.withheld++;
      return withheldMark;
    }
  }
}

/** What a user's rule gave. A promise is a mistake of theirs: it is not awaited, and must not end the process either. */
function stringOrThrow(given: unknown): string {
  if (typeof given === 'string') return given;
  if (given instanceof Promise) given.catch(() => {});
  throw new TypeError('a redaction must return a string');
}

function planOf(key: string, name: string): KeyPlan {
  const role = contentRole(key);
  const metadata = metadataClass(name) !== undefined;
  const last = key.slice(key.lastIndexOf('.') + 1);
  const isData = role === 'arguments' || role === 'result' || role === 'header' || role === 'definitions';
  return {
    name,
    role,
    scope: isData || metadata ? 'data' : 'message',
    reasoning: role === 'reasoning' || (!metadata && isReasoningField(last, key)),
    // What is left of a key that held a credential may itself name one.
    sensitive: isSensitiveKey(key) || isSensitiveKey(name),
    metadata,
  };
}

/**
 * Dialects that flatten messages write the type of a part in a key of its own. The OpenInference bridge of the OpenAI
 * Agents SDK types reasoning as text; its message is the only one without a role, and whose words those are nobody knows.
 */
function partsOfReasoning(attributes: Attributes): string[] {
  const parts: string[] = [];
  for (const key in attributes) {
    if (!key.endsWith(partType)) continue;
    const list = key.lastIndexOf('.contents.');
    const isSpoken = list === -1 || attributes[`${key.slice(0, list)}.role`] !== undefined;
    if (!isSpoken || isReasoningType(attributes[key])) parts.push(key.slice(0, -'type'.length));
  }
  return parts;
}
