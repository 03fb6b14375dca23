import type { ShapeNode, ShapeTree } from './attribute-shape.ts';
import { flatCopy, JsonText } from './json-text.ts';
import { TemplateStep, type ValueReader } from './span-template.ts';
import {
  anyAttribute,
  doubleAttribute,
  endOfSpan,
  integerAttribute,
  memberReaders,
  textAttribute,
} from './span-template-values.ts';
import type { SpanTemplates } from './span-templates.ts';

/** A longer text between two values is not remembered. */
const longestLead = 1_000;
const quote = 34;
const [openObject, closeObject, openList, closeList, comma, colon] = [123, 125, 91, 93, 44, 58];

/** Learns how a span is written. `text` is valid JSON; what is unusual in it is left to the general reading. */
export function learnSpan(text: string, templates: SpanTemplates, shapes: ShapeTree): void {
  new Lesson(text, templates, shapes).learn();
}

class Lesson {
  readonly #at: JsonText;
  readonly #templates: SpanTemplates;
  readonly #shapes: ShapeTree;
  readonly #seen = new Set<string>();
  #step: TemplateStep;
  #keys: ShapeNode;
  /** The end of the value before. */
  #from = 0;

  constructor(text: string, templates: SpanTemplates, shapes: ShapeTree) {
    this.#at = new JsonText(text);
    this.#templates = templates;
    this.#shapes = shapes;
    this.#step = templates.root;
    this.#keys = shapes.root;
  }

  learn(): void {
    const isUsual = this.#object((name) => this.#spanMember(name));
    if (isUsual && this.#seen.has('traceId') && this.#seen.has('spanId')) this.#add(this.#at.at, endOfSpan, true);
  }

  /** Goes through an object; false where `read` finds something unusual in a member. */
  #object(read: (name: string) => boolean): boolean {
    return this.#inBrackets(openObject, closeObject, () => {
      const name = this.#string();
      this.#at.skipSpace();
      if (name === undefined || !this.#at.take(colon)) return false;
      this.#at.skipSpace();
      return read(name);
    });
  }

  #inBrackets(open: number, close: number, read: () => boolean): boolean {
    const at = this.#at;
    if (!at.take(open)) return false;
    at.skipSpace();
    if (at.take(close)) return true;
    do {
      at.skipSpace();
      if (!read()) return false;
      at.skipSpace();
    } while (at.take(comma));
    return at.take(close);
  }

  #string(): string | undefined {
    if (!this.#isText()) return undefined;
    return JSON.parse(this.#at.rawValue() ?? '') as string;
  }

  #isText(): boolean {
    return this.#at.text.charCodeAt(this.#at.at) === quote;
  }

  #spanMember(name: string): boolean {
    if (name === 'attributes') {
      return this.#isNew(name) && this.#inBrackets(openList, closeList, () => this.#attribute());
    }
    const member = memberReaders.get(name);
    const isText = this.#isText();
    const reader = isText ? member?.ofText : member?.ofOther;
    return member !== undefined && reader !== undefined && this.#isNew(member.field) && this.#value(reader, isText);
  }

  #isNew(field: string): boolean {
    return !this.#seen.has(field) && this.#seen.add(field).size > 0;
  }

  /** `{"key": …, "value": …}` in this order. */
  #attribute(): boolean {
    let members = 0;
    const isUsual = this.#object((name) => {
      members += 1;
      if (members === 1) return name === 'key' && this.#key(this.#string());
      return members === 2 && name === 'value' && this.#anyValue();
    });
    return isUsual && members === 2;
  }

  #key(key: string | undefined): boolean {
    const keys = key === undefined ? undefined : this.#shapes.step(this.#keys, key);
    if (keys === undefined || keys.repeats) return false;
    this.#keys = keys;
    return true;
  }

  /** `{"stringValue": "…"}`, `{"intValue": "…"}` and `{"doubleValue": …}` have readers of their own. */
  #anyValue(): boolean {
    const start = this.#at.at;
    const reader = this.#readerInside();
    if (reader !== undefined && this.#value(reader, this.#isText())) {
      this.#at.skipSpace();
      return this.#at.take(closeObject);
    }
    this.#at.at = start;
    return this.#value(anyAttribute, false);
  }

  #readerInside(): ValueReader | undefined {
    const at = this.#at;
    at.take(openObject);
    at.skipSpace();
    const name = this.#string();
    at.skipSpace();
    at.take(colon);
    at.skipSpace();
    const isText = this.#isText();
    if (name === 'doubleValue' && !isText) return doubleAttribute;
    return isText && name === 'stringValue'
      ? textAttribute
      : isText && name === 'intValue'
        ? integerAttribute
        : undefined;
  }

  /** A value that is read, and the text before it. */
  #value(read: ValueReader, isText: boolean): boolean {
    const at = this.#at;
    const added = this.#add(isText ? at.at + 1 : at.at, read, false);
    at.rawValue();
    this.#from = isText ? at.at - 1 : at.at;
    return added;
  }

  #add(to: number, read: ValueReader, isLast: boolean): boolean {
    if (to - this.#from > longestLead) return false;
    const lead = flatCopy(this.#at.text.slice(this.#from, to));
    const step = this.#templates.branch(this.#step, new TemplateStep(lead, read, this.#keys, isLast));
    if (step !== undefined) this.#step = step;
    return step !== undefined;
  }
}
