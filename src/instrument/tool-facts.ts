import { createHmac } from 'node:crypto';
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { canonicalJson } from '../trace/canonical-json.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import { metadataClass } from '../trace/privacy/metadata-keys.ts';
import { showsFailure } from '../trace/result-failure.ts';
import { nextAttempt } from './attempts.ts';
import { roughSize } from './rough-size.ts';
import { SpanEnd, type SpanState } from './segment.ts';
import { argumentsIn, isToolCall, resultIn, toolNameOf } from './tool-call-span.ts';

const longestParsed = 262_144;
const mostArguments = 64;

export interface ToolFactOptions {
  readonly digestKey: string | undefined;
  /** By tool: the arguments that identify an operation; all of them where a tool is not named. */
  readonly identity: Readonly<Record<string, readonly string[]>>;
}

/** Facts about tool calls that are stamped before their arguments and results are withheld. */
export class ToolFacts {
  readonly #options: ToolFactOptions;
  /** What of the arguments names the operation. */
  readonly #identity = (tool: string, spelling: string): unknown => this.#identityOf(tool, parsed(spelling));

  constructor(options: ToolFactOptions) {
    this.#options = options;
  }

  /** Counts the attempt. Called once per span, in the order in which they end. */
  count(attributes: Attributes, state: SpanState): void {
    if (!isToolCall(attributes) || (state.end !== undefined && state.end.operation > 0)) return;
    if (attributes[ownAttributes.attemptNumber] !== undefined) return;
    const tool = toolNameOf(attributes);
    const given = argumentsIn(attributes);
    if (tool === undefined || given === undefined) return;
    if (isTooLong(given)) return;
    const spelling = typeof given === 'string' ? given : jsonOf(given);
    if (spelling === undefined) return;
    const counted = nextAttempt(state.segment, tool, spelling, this.#identity);
    if (counted === undefined) return;
    state.end ??= new SpanEnd();
    state.end.operation = counted.operation;
    state.end.tries = counted.tries;
  }

  /** The stamps of a tool call; none where the span is no tool call. */
  stamps(attributes: Attributes, end: SpanEnd | undefined): Attributes {
    const out: Attributes = {};
    if (!isToolCall(attributes)) return out;
    if (end !== undefined && end.operation > 0) {
      out[ownAttributes.attemptOperation] = end.operation;
      out[ownAttributes.attemptNumber] = end.tries;
    }
    const result = resultIn(attributes);
    if (result !== undefined) {
      set(out, ownAttributes.toolResultBytes, byteSize(result));
      if (!isTooLong(result)) out[ownAttributes.toolResultFailed] = showsFailure(result);
    }
    const given = argumentsIn(attributes);
    if (given !== undefined) {
      set(out, ownAttributes.toolArgumentsBytes, byteSize(given));
      this.#stampDigests(out, given);
    }
    return out;
  }

  #identityOf(tool: string, given: unknown): unknown {
    const names = Object.hasOwn(this.#options.identity, tool) ? this.#options.identity[tool] : undefined;
    if (names === undefined || !isRecord(given)) return given;
    return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
  }

  #stampDigests(out: Attributes, given: AttributeValue): void {
    const { digestKey } = this.#options;
    if (digestKey === undefined || isTooLong(given)) return;
    const value = typeof given === 'string' ? parsed(given) : given;
    set(out, ownAttributes.toolArgumentsDigest, digestOf(value, digestKey));
    if (!isRecord(value)) return;
    for (const [name, argument] of Object.entries(value).slice(0, mostArguments)) {
      // The name becomes a key, so it must be one that code gives.
      const key = ownAttributes.toolArgumentDigestPrefix + name;
      if (/^[A-Za-z][\w.]{0,39}$/.test(name) && metadataClass(key) !== undefined) {
        set(out, key, digestOf(argument, digestKey));
      }
    }
  }
}

/**
 * Keyed digest of a value: `hmac-sha256:` and the hex HMAC of its canonical JSON.
 *
 * @example
 * digestOf({ order_id: 'A-1' }, key) === digestOf(JSON.parse('{"order_id":"A-1"}'), key); // true
 */
export function digestOf(value: unknown, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`;
}

/** Too long to be parsed or written while the app waits; so is what cannot be read. */
function isTooLong(value: AttributeValue): boolean {
  if (typeof value === 'string') return value.length > longestParsed;
  try {
    return roughSize(value, longestParsed) > longestParsed;
  } catch {
    return true;
  }
}

function byteSize(value: AttributeValue): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  const text = isTooLong(value) ? undefined : jsonOf(value);
  return text === undefined ? undefined : Buffer.byteLength(text);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Arguments as JSON where the text is JSON, else the text itself. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function set(out: Attributes, key: string, value: AttributeValue | undefined): void {
  if (value !== undefined) out[key] = value;
}
