import { type DecodeOptions, OtlpReading, type SharedStrings } from './otlp-reading.ts';
import { SpanText } from './span-template.ts';
import { learnSpan } from './span-template-lesson.ts';
import { type SpanTemplates, templatesOf } from './span-templates.ts';

/** A document whose lists of spans were read from the text. */
export interface ScannedDocument {
  /** The document as parsed, with a number in the place of each such list. */
  readonly document: unknown;
  /** The lists by that number: spans without resource and scope, and as parsed what is not written as usual. */
  readonly lists: readonly (readonly unknown[])[];
}

const [openList, closeList, comma, colon] = [91, 93, 44, 58];
const name = '"spans"';

/**
 * Reads the spans of OTLP/JSON from its text: a producer writes all of them alike, so most of the text is compared with
 * what was understood before, and not parsed. `undefined` where the document is not the usual one, or no JSON at all:
 * `JSON.parse` is then the way.
 */
export function scanOtlpJson(text: string, options: DecodeOptions, shared: SharedStrings): ScannedDocument | undefined {
  const templates = templatesOf(shared);
  if (!templates.pays) return undefined;
  try {
    return new Scan(text, { ...options, shared }, templates).document();
  } catch {
    return undefined;
  }
}

class Scan {
  readonly #text: string;
  readonly #templates: SpanTemplates;
  readonly #at: SpanText;

  constructor(text: string, options: DecodeOptions, templates: SpanTemplates) {
    this.#text = text;
    this.#templates = templates;
    this.#at = new SpanText(text, new OtlpReading(options));
  }

  /** Without escapes around the lists, each `"spans"` there is a member name, and each such member is seen. */
  document(): ScannedDocument | undefined {
    const lists: unknown[][] = [];
    let around = '';
    let from = 0;
    for (let found = this.#text.indexOf(name); found >= 0; found = this.#text.indexOf(name, from)) {
      if (!this.#isList(found + name.length)) return undefined;
      const before = this.#text.slice(from, this.#at.at);
      if (before.includes('\\')) return undefined;
      around += before + lists.length;
      lists.push(this.#rows());
      from = this.#at.at;
    }
    const rest = this.#text.slice(from);
    return lists.length === 0 || rest.includes('\\') ? undefined : { document: JSON.parse(around + rest), lists };
  }

  #isList(from: number): boolean {
    const at = this.#at;
    at.at = from;
    at.skipSpace();
    if (!at.take(colon)) return false;
    at.skipSpace();
    return at.text.charCodeAt(at.at) === openList;
  }

  #rows(): unknown[] {
    const rows: unknown[] = [];
    this.#at.take(openList);
    this.#at.skipSpace();
    if (this.#at.take(closeList)) return rows;
    do {
      this.#at.skipSpace();
      rows.push(this.#row());
      this.#at.skipSpace();
    } while (this.#at.take(comma));
    if (!this.#at.take(closeList)) throw new SyntaxError('expected a comma or ]');
    return rows;
  }

  #row(): unknown {
    const from = this.#at.at;
    const span = this.#templates.follow(this.#at);
    if (span !== undefined) return span;
    this.#at.restart(from);
    const raw = this.#at.rawValue() ?? '';
    const row: unknown = JSON.parse(raw);
    if (this.#templates.takeLesson()) learnSpan(raw, this.#templates, this.#at.trial.shared.shapes);
    return row;
  }
}
