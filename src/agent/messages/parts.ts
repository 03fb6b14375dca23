import { isObject, parsed } from '../content.ts';
import type { Json } from '../run.ts';
import type { DecisionPart, JsonObject, Part, ToolCallPart, ToolResultPart } from './part.ts';

// Every convention writes the parts of a message in its own way. They differ in their keys, so one reader takes them all.

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function firstText(object: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const found = textOf(object[key]);
    if (found !== null) return found;
  }
  return null;
}

function argumentsOf(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? parsed(value) : value;
}

/** Keys under which Gemini, Bedrock and Genkit nest a call. */
const nestedCalls = ['functionCall', 'function_call', 'toolUse', 'toolRequest', 'tool_call', 'function'] as const;
const nestedResults = [
  'functionResponse',
  'function_response',
  'toolResult',
  'toolResponse',
  'tool_call_result',
] as const;
const callTypes =
  /^(tool[-_]?call|server_tool_call|tool[-_]?use|server_tool_use|mcp_tool_use|function_call|function|toolUse|mcp_call)$/;
const resultTypes =
  /^(tool[-_]?call[-_]?response|server_tool_call_response|tool[-_]result|function_call_(output|result)|function_result|toolResult|[a-z_]+_tool_result|tool_search_output)$/;

/** A tool call, in whatever form; `undefined` for anything else. */
export function callPart(object: JsonObject): ToolCallPart | undefined {
  for (const key of nestedCalls) {
    const inner = object[key];
    if (isObject(inner) && firstText(inner, 'name', 'tool_name') !== null)
      return flatCall({ id: object['id'] ?? null, ...inner });
  }
  const type = object['type'];
  if (typeof type === 'string' && !callTypes.test(type)) return undefined;
  if (typeof type !== 'string' && !looksLikeCall(object)) return undefined;
  return flatCall(object);
}

function looksLikeCall(object: JsonObject): boolean {
  return (
    firstText(object, 'toolName', 'tool_name', 'name') !== null &&
    ['args', 'arguments', 'input', 'toolCallId', 'tool_call_id'].some((key) => object[key] !== undefined)
  );
}

function flatCall(object: JsonObject): ToolCallPart | undefined {
  const name = firstText(object, 'name', 'toolName', 'tool_name');
  if (name === null) return undefined;
  const given = ['arguments', 'args', 'input', 'tool_args', 'tool_kwargs', 'server_tool_call'].map(
    (key) => object[key],
  );
  return {
    kind: 'call',
    id: firstText(
      object,
      'call_id',
      'callId',
      'toolCallId',
      'tool_call_id',
      'toolUseId',
      'tool_use_id',
      'ref',
      'tool_id',
      'id',
    ),
    name,
    arguments: argumentsOf(given.find((value) => value !== undefined && value !== null)),
  };
}

/** A tool's answer, in whatever form; `undefined` for anything else. */
export function resultPart(object: JsonObject): ToolResultPart | undefined {
  for (const key of nestedResults) {
    const inner = object[key];
    if (isObject(inner)) return flatResult(inner);
  }
  const type = object['type'];
  return typeof type === 'string' && resultTypes.test(type) ? flatResult(object) : undefined;
}

/** Also a whole message of role `tool`, which carries the id beside its content. */
export function flatResult(object: JsonObject): ToolResultPart {
  const given = ['response', 'result', 'output', 'content', 'value', 'server_tool_call_response'].map(
    (key) => object[key],
  );
  const raw = given.find((value) => value !== undefined && value !== null);
  return {
    kind: 'result',
    id: firstText(object, 'call_id', 'callId', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'ref', 'id'),
    name: firstText(object, 'name', 'toolName', 'tool_name'),
    result: argumentsOf(raw),
    failed: saysFailed(object, raw),
  };
}

function saysFailed(object: JsonObject, raw: Json | undefined): boolean | undefined {
  for (const key of ['is_error', 'isError', 'tool_call_error']) {
    if (typeof object[key] === 'boolean') return object[key];
  }
  const status = object['status'];
  if (status === 'error' || status === 'failure' || status === 'failed') return true;
  if (status === 'success') return false;
  // AI SDK: the output names its own kind.
  const kind = isObject(raw) ? raw['type'] : undefined;
  if (kind === 'error-text' || kind === 'error-json') return true;
  if (kind === 'json' || kind === 'text') return isObject(raw) && raw['value'] !== undefined ? false : undefined;
  return undefined;
}

/** Reasoning, media, and decisions of people: no text that was said. */
const notSaid = /reasoning|thinking|thought|approval|blob|file|uri|image|audio|video|media|binary|document/i;

/** What was said: reasoning is not text. */
export function textPart(value: Json): Part | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { kind: 'text', text: value };
  if (!isObject(value)) return undefined;
  if (typeof value['type'] === 'string' && notSaid.test(value['type'])) return undefined;
  if (value['thought'] === true) return undefined;
  const said = firstText(value, 'text', 'content', 'refusal');
  return said === null ? undefined : { kind: 'text', text: said };
}

const decisionTypes =
  /^(tool[-_]?approval[-_]?response|function_approval_response|functionApprovalResponse|interrupt_response|interruptResponse|mcp_approval_response)$/;

/** What a person decided of a call that waited; `undefined` for anything else. */
export function decisionPart(object: JsonObject): DecisionPart | undefined {
  const nested = ['interruptResponse', 'interrupt_response'].map((key) => object[key]).find(isObject);
  const type = object['type'];
  if (nested === undefined && (typeof type !== 'string' || !decisionTypes.test(type))) return undefined;
  const granted = object['approved'] ?? object['approve'];
  return {
    kind: 'decision',
    id: firstText(
      nested ?? object,
      'approval_id',
      'approvalId',
      'interruptId',
      'interrupt_id',
      'approval_request_id',
      'id',
    ),
    granted: typeof granted === 'boolean' ? granted : undefined,
  };
}
