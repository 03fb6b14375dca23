import { OtelEvalError } from './otel-eval-error.ts';
import { integerOf } from './otlp-integer.ts';

/** Objects and lists within each other. OTLP needs about fifteen, and five for each level of a nested value. */
const deepestJson = 1_000;

export interface JsonPlace {
  readonly source?: string;
  readonly line?: number;
}

/**
 * `JSON.parse` that keeps every digit: an integer beyond 2^53 becomes a `bigint` (also `1.6e18`), every other number a
 * `number`. Slower than `JSON.parse`, so used where that would round. Throws an `OtelEvalError` that names line, column
 * and byte and tells nothing of the text.
 */
export function parseExactJson(text: string, place: JsonPlace = {}): unknown {
  const parser = new ExactParser(text, place);
  return parser.document();
}

class ExactParser {
  readonly #text: string;
  readonly #place: JsonPlace;
  #at = 0;
  #depth = 0;

  constructor(text: string, place: JsonPlace) {
    this.#text = text;
    this.#place = place;
  }

  document(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) throw this.#error('expected the end of the JSON document, got more');
    return value;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  #value(): unknown {
    this.#space();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#list();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      case undefined:
        throw this.#error('expected a JSON value, got the end of the text (was it cut off?)');
      default:
        return this.#number();
    }
  }

  #word(word: string, value: unknown): unknown {
    if (!this.#text.startsWith(word, this.#at)) throw this.#error('expected a JSON value, got another character');
    this.#at += word.length;
    return value;
  }

  #number(): number | bigint {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.#at;
    const digits = pattern.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#error('expected a JSON value, got another character');
    this.#at += digits.length;
    const number = Number(digits);
    if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
    return integerOf(digits) ?? number;
  }

  #string(): string {
    const start = this.#at;
    let end = this.#at + 1;
    for (;;) {
      const code = this.#text.charCodeAt(end);
      if (code === 34) break;
      if (Number.isNaN(code))
        throw this.#error('expected the end of a string, got the end of the text (was it cut off?)');
      if (code < 32) {
        this.#at = end;
        throw this.#error('expected an escaped control character in a string, got a bare one');
      }
      end += code === 92 ? 2 : 1;
    }
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      this.#at = start;
      throw this.#error('expected a string with valid escapes, got another escape');
    }
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > deepestJson) {
      throw this.#error(`JSON nested deeper than ${deepestJson} levels`, 'OTEL_EVAL_TOO_LARGE');
    }
    this.#at += 1;
    this.#space();
  }

  #list(): unknown[] {
    this.#enter();
    const list: unknown[] = [];
    if (this.#text[this.#at] !== ']') {
      do list.push(this.#value());
      while (this.#comma(']'));
    } else this.#at += 1;
    this.#depth -= 1;
    return list;
  }

  #object(): Record<string, unknown> {
    this.#enter();
    const object: Record<string, unknown> = {};
    if (this.#text[this.#at] !== '}') {
      do this.#member(object);
      while (this.#comma('}'));
    } else this.#at += 1;
    this.#depth -= 1;
    return object;
  }

  #member(object: Record<string, unknown>): void {
    this.#space();
    if (this.#text[this.#at] !== '"') throw this.#error('expected a member name in quotes, got another character');
    const name = this.#string();
    this.#space();
    if (this.#text[this.#at] !== ':') throw this.#error('expected a colon after a member name, got another character');
    this.#at += 1;
    const value = this.#value();
    if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true });
    else object[name] = value;
  }

  /** True after a comma, false after the closing bracket. */
  #comma(close: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next !== ',' && next !== close) {
      const end = next === undefined;
      throw this.#error(
        `expected a comma or ${close}, got ${end ? 'the end of the text (was it cut off?)' : 'another character'}`,
      );
    }
    this.#at += 1;
    return next === ',';
  }

  #error(
    message: string,
    code: 'OTEL_EVAL_NOT_A_TRACE' | 'OTEL_EVAL_TOO_LARGE' = 'OTEL_EVAL_NOT_A_TRACE',
  ): OtelEvalError {
    const before = this.#text.slice(0, this.#at);
    const lineStart = before.lastIndexOf('\n') + 1;
    const line = (this.#place.line || 1) + before.split('\n').length - 1;
    const column = this.#at - lineStart + 1;
    const { source } = this.#place;
    return new OtelEvalError(code, `${message} (${source ? `${source}, ` : ''}line ${line}, column ${column})`, {
      ...(source ? { source } : {}),
      line,
      column,
      byte: Buffer.byteLength(before),
    });
  }
}
