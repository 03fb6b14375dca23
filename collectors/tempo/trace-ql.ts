import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

/** Where TraceQL looks for an attribute. Never taken from a user's text. */
export type TraceQlScope = 'span' | 'resource' | 'event' | 'instrumentation';

const longestQuery = 128 * 1_024;

/** Text that is a query or a part of one; made in this file only, so that no value can change a query. */
export class TraceQl {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /**
   * An attribute equals a value of the same type.
   *
   * @example
   * TraceQl.attribute('span', 'gen_ai.conversation.id', 'c-1').text; // '(span."gen_ai.conversation.id" = "c-1")'
   */
  static attribute(scope: TraceQlScope, name: string, value: string | number | boolean | bigint): TraceQl {
    return new TraceQl(`(${scope}.${quotedName(name)} = ${literal(value)})`);
  }

  /** A name of the span, of its scope or of one of its events. */
  static name(of: 'span:name' | 'instrumentation:name' | 'event:name', name: string): TraceQl {
    return new TraceQl(`(${of} = ${quoted(name)})`);
  }

  /** `kind` and `status` are bare words in TraceQL; anything else than a word is refused. */
  static word(intrinsic: 'span:kind' | 'span:status', word: string): TraceQl {
    if (!/^[a-z]{1,20}$/.test(word)) throw unfit(`${intrinsic} takes one lower-case word`);
    return new TraceQl(`(${intrinsic} = ${word})`);
  }

  /** `&&` and `||` bind equally in TraceQL, so every condition stands in brackets. */
  static all(conditions: readonly TraceQl[]): TraceQl {
    return TraceQl.#joined(conditions, '&&');
  }

  static any(conditions: readonly TraceQl[]): TraceQl {
    return TraceQl.#joined(conditions, '||');
  }

  static #joined(conditions: readonly TraceQl[], operator: '&&' | '||'): TraceQl {
    const [only] = conditions;
    if (conditions.length === 1 && only !== undefined) return only;
    return new TraceQl(`(${conditions.map(({ text }) => text).join(` ${operator} `)})`);
  }

  /** A whole query: traces with a span that meets the condition; any span without one. */
  static query(condition: TraceQl | undefined): string {
    const text = condition === undefined ? '{ }' : `{ ${condition.text} }`;
    if (Buffer.byteLength(text) > longestQuery) throw unfit(`it would be longer than ${longestQuery} bytes`);
    return text;
  }
}

/** The text of a raw query, as the user wrote it; only its length is checked. */
export function rawTraceQl(text: string): string {
  if (Buffer.byteLength(text) > longestQuery) throw unfit(`it is longer than ${longestQuery} bytes`);
  return text;
}

function literal(value: string | number | boolean | bigint): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) !== value) throw unfit('an integer has more than 64 bits');
    return value.toString();
  }
  if (!Number.isFinite(value)) throw unfit('a number is not finite');
  const text = String(value);
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw unfit('a number needs an exponent, which TraceQL does not know');
  return text;
}

/** A JSON string is a TraceQL string, as long as it holds neither NUL nor a lone surrogate. */
function quoted(text: string): string {
  if (text.includes('\0')) throw unfit('a value holds the character NUL');
  return JSON.stringify(wellFormed(text));
}

/** In a quoted name only the quote and the backslash are escaped, and control characters have no spelling. */
function quotedName(name: string): string {
  if (/\p{Cc}/u.test(name)) throw unfit('an attribute name holds a control character');
  return `"${wellFormed(name).replace(/[\\"]/g, '\\$&')}"`;
}

function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

function unfit(why: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_USAGE', `cannot write this as a TraceQL query: ${why}`);
}
