import { isObject, parsed } from '../content.ts';
import type { Json, Message } from '../run.ts';
import type { DecisionPart, JsonObject, Part, ToolCallPart, ToolResultPart } from './part.ts';
import { callPart, decisionPart, flatResult, resultPart, textPart } from './parts.ts';

/**
 * Messages out of whatever a convention writes them as: the OTel message schema, OpenAI chat and Responses payloads,
 * Anthropic, Gemini and Bedrock blocks, LangChain's serialised messages, AI SDK prompts. What is none of these gives no
 * message.
 */
export function messagesOf(value: Json | undefined, role = ''): readonly Message[] {
  const found: Message[] = [];
  collect(value, role, found, 0);
  return found;
}

/** Members that hold the messages of a request or an answer, in the order in which they are tried. */
const holders = ['messages', 'contents', 'choices', 'generations', 'candidates', 'output', 'input', 'message'] as const;
const deepest = 8;

function collect(value: Json | undefined, role: string, found: Message[], depth: number): void {
  if (value === undefined || value === null || depth > deepest) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collect(item, role, found, depth + 1);
    return;
  }
  if (typeof value === 'string') {
    if (value !== '') found.push(message(role, [{ kind: 'text', text: value }]));
    return;
  }
  if (isObject(value)) collectObject(value, role, found, depth);
}

function collectObject(object: JsonObject, role: string, found: Message[], depth: number): void {
  const own = constructed(object) ?? object;
  if (isMessage(own)) {
    found.push(message(roleOf(own, role), partsOf(own)));
    return;
  }
  const loose = callPart(own) ?? resultPart(own);
  if (loose !== undefined) {
    found.push(message(role === '' ? (loose.kind === 'call' ? 'assistant' : 'tool') : role, [loose]));
    return;
  }
  if (own['system'] !== undefined && own['messages'] !== undefined) collect(own['system'], 'system', found, depth + 1);
  const holder = holders.find((key) => own[key] !== undefined && own[key] !== null);
  if (holder !== undefined) collect(own[holder], role, found, depth + 1);
  else if (isObject(own['content'])) collect(own['content'], role, found, depth + 1);
}

/** LangChain writes `{ lc, type: 'constructor', id: [..., 'ToolMessage'], kwargs }`, or `{ type: 'tool', data: {…} }`. */
function constructed(object: JsonObject): JsonObject | undefined {
  if (isObject(object['kwargs']) && Array.isArray(object['id'])) {
    const name = (object['id'] as readonly Json[]).at(-1);
    return typeof name === 'string' && /Message/.test(name)
      ? { ...object['kwargs'], role: langChainRole(name) }
      : undefined;
  }
  return isObject(object['data']) && typeof object['type'] === 'string'
    ? { ...object['data'], role: langChainRole(object['type']) }
    : undefined;
}

function langChainRole(name: string): string {
  if (/^ai/i.test(name)) return 'assistant';
  if (/^human/i.test(name)) return 'user';
  return /^(system|tool|function)/i.exec(name)?.[0].toLowerCase() ?? name;
}

const messageTypes = /^(message|ai|human|system|tool|AIMessage|HumanMessage|SystemMessage|ToolMessage|AIMessageChunk)$/;

function isMessage(object: JsonObject): boolean {
  if (typeof object['role'] === 'string') return true;
  return typeof object['type'] === 'string' && messageTypes.test(object['type']) && object['content'] !== undefined;
}

function roleOf(object: JsonObject, role: string): string {
  const own = object['role'];
  if (typeof own === 'string' && own !== '') return own === 'model' ? 'assistant' : own;
  const type = object['type'];
  return typeof type === 'string' && type !== 'message' ? langChainRole(type) : role;
}

function partsOf(object: JsonObject): readonly Part[] {
  if (isToolAnswer(object)) return [flatResult(object)];
  const parts: Part[] = [];
  for (const key of ['parts', 'content', 'contents', 'tool_calls', 'toolCalls', 'function_call'])
    addParts(object[key], parts);
  // LangChain keeps the provider's form of the same calls beside its own.
  const extra = object['additional_kwargs'];
  if (isObject(extra) && !parts.some(({ kind }) => kind === 'call')) addParts(extra['tool_calls'], parts);
  return withoutRepeats(parts);
}

function isToolAnswer(object: JsonObject): boolean {
  const carriesId = ['tool_call_id', 'toolCallId', 'tool_use_id'].some((key) => typeof object[key] === 'string');
  return carriesId && object['parts'] === undefined && object['tool_calls'] === undefined;
}

function addParts(value: Json | undefined, parts: Part[]): void {
  if (value === undefined || value === null || value === '') return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) addPart(item, parts);
    return;
  }
  if (typeof value === 'string' && /^\s*\[\s*\{/.test(value)) {
    const inner = parsed(value);
    if (Array.isArray(inner)) addParts(inner, parts);
    else addPart(value, parts);
    return;
  }
  addPart(value, parts);
}

function addPart(value: Json, parts: Part[]): void {
  const part = isObject(value)
    ? (decisionPart(value) ?? callPart(value) ?? resultPart(value) ?? textPart(value))
    : textPart(value);
  if (part !== undefined) parts.push(part);
}

/** Blocks and `tool_calls` of one message often tell of the same call. */
function withoutRepeats(parts: readonly Part[]): readonly Part[] {
  const seen = new Set<string>();
  return parts.filter((part) => {
    if (part.kind !== 'call' || part.id === null) return true;
    if (seen.has(part.id)) return false;
    seen.add(part.id);
    return true;
  });
}

export function message(role: string, parts: readonly Part[]): Message {
  const decisions = parts.filter((part): part is DecisionPart => part.kind === 'decision');
  return {
    ...(decisions.length === 0 ? {} : { decisions }),
    role,
    text: parts
      .filter((part) => part.kind === 'text')
      .map(({ text }) => text)
      .join('\n'),
    toolCalls: parts.filter((part): part is ToolCallPart => part.kind === 'call'),
    toolResults: parts.filter((part): part is ToolResultPart => part.kind === 'result'),
  };
}
