import { createHmac } from 'node:crypto';
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { canonicalJson } from '../trace/canonical-json.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import { Attempts } from './attempts.ts';
import type { SeenContent } from './metadata-filter.ts';
import type { Segment } from './segment.ts';
import { resultFailed } from './tool-result.ts';

const longestParsed = 262_144;
const mostArguments = 64;
const none: Attributes = {};
const toolNameKeys = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name', 'tool_name'];

export interface ToolFactOptions {
  readonly digestKey: string | undefined;
  /** By tool: the arguments that identify an operation; all of them where a tool is not named. */
  readonly identity: Readonly<Record<string, readonly string[]>>;
}

/** Facts about a tool call that are stamped before its arguments and its result are withheld. */
export class ToolFacts {
  readonly #options: ToolFactOptions;
  readonly #attempts = new WeakMap<Segment, Attempts>();

  constructor(options: ToolFactOptions) {
    this.#options = options;
  }

  /** What `seen` tells of the tool call with these metadata; nothing where the span is no tool call. */
  of(metadata: Attributes, seen: SeenContent, segment: Segment | undefined): Attributes {
    if (!isToolCall(metadata)) return none;
    const out: Attributes = {};
    const tool = toolName(metadata);
    const result = seen.result ?? seen.output;
    if (result !== undefined) stampResult(out, result);
    const given = seen.arguments ?? seen.input;
    if (given === undefined) return out;
    set(out, ownAttributes.toolArgumentsBytes, byteSize(given));
    const parsed = argumentsOf(given);
    if (parsed === undefined) return out;
    if (tool !== undefined && segment !== undefined && metadata[ownAttributes.attemptNumber] === undefined) {
      this.#stampAttempt(out, tool, parsed.value, segment);
    }
    this.#stampDigests(out, parsed.value);
    return out;
  }

  #stampAttempt(out: Attributes, tool: string, given: unknown, segment: Segment): void {
    let attempts = this.#attempts.get(segment);
    if (attempts === undefined) {
      attempts = new Attempts();
      this.#attempts.set(segment, attempts);
    }
    const attempt = attempts.next(tool, canonicalJson(this.#identityOf(tool, given)));
    if (attempt === undefined) return;
    out[ownAttributes.attemptOperation] = attempt.operation;
    out[ownAttributes.attemptNumber] = attempt.number;
  }

  #identityOf(tool: string, given: unknown): unknown {
    const names = Object.hasOwn(this.#options.identity, tool) ? this.#options.identity[tool] : undefined;
    if (names === undefined || !isRecord(given)) return given;
    return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
  }

  #stampDigests(out: Attributes, given: unknown): void {
    const { digestKey } = this.#options;
    if (digestKey === undefined) return;
    set(out, ownAttributes.toolArgumentsDigest, digestOf(given, digestKey));
    if (!isRecord(given)) return;
    for (const [name, value] of Object.entries(given).slice(0, mostArguments)) {
      // The name becomes a key, so it must be one that code gives.
      if (/^[A-Za-z][\w.]{0,39}$/.test(name)) {
        set(out, ownAttributes.toolArgumentDigestPrefix + name, digestOf(value, digestKey));
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

function isToolCall(out: Attributes): boolean {
  return (
    out['gen_ai.operation.name'] === 'execute_tool' ||
    out['openinference.span.kind'] === 'TOOL' ||
    out['traceloop.span.kind'] === 'tool' ||
    out['langsmith.span.kind'] === 'tool' ||
    out['langfuse.observation.type'] === 'tool' ||
    out['genkit:metadata:subtype'] === 'tool' ||
    out['ai.operationId'] === 'ai.toolCall' ||
    out['gen_ai.tool.name'] !== undefined ||
    out['tool_name'] !== undefined
  );
}

function toolName(out: Attributes): string | undefined {
  for (const key of toolNameKeys) {
    const name = out[key];
    if (typeof name === 'string' && name !== '') return name;
  }
  return undefined;
}

function stampResult(out: Attributes, result: AttributeValue): void {
  set(out, ownAttributes.toolResultBytes, byteSize(result));
  const failed = resultFailed(result);
  if (failed !== undefined) set(out, ownAttributes.toolResultFailed, failed);
}

function byteSize(value: AttributeValue): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return undefined;
  }
}

/** Arguments as JSON where the text is JSON, else the text itself. */
function argumentsOf(given: AttributeValue): { readonly value: unknown } | undefined {
  if (typeof given !== 'string') return { value: given };
  if (given.length > longestParsed) return undefined;
  if (!/^\s*[{[]/.test(given)) return { value: given };
  try {
    return { value: JSON.parse(given) };
  } catch {
    return { value: given };
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function set(out: Attributes, key: string, value: AttributeValue | undefined): void {
  if (value !== undefined) out[key] = value;
}
