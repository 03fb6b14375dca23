import type { Attributes } from '../../trace/attributes.ts';
import { contentOf } from '../content.ts';
import { messagesOf } from '../messages/messages.ts';
import type { Reader } from '../reading.ts';
import type { Json, Message } from '../run.ts';

/**
 * Messages spread over numbered keys: `gen_ai.prompt.3.tool_calls.0.name`, `llm.input_messages.3.message.content`.
 * Holes, left by a limit on attributes, are tolerated; numbers sort as numbers.
 */
export function flattenedMessages(prefix: string): Reader<readonly Message[]> {
  return ({ attributes }) => {
    const tree = treeUnder(attributes, `${prefix}.`);
    if (tree === undefined) return undefined;
    const found = listed(tree).flatMap((entry) => (saysMoreThanItsRole(entry) ? messagesOf(shaped(entry)) : []));
    return found.length > 0 ? { value: found, from: `${prefix}.*` } : undefined;
  };
}

interface Tree {
  [key: string]: Tree | Json;
}

function treeUnder(attributes: Attributes, prefix: string): Tree | undefined {
  let root: Tree | undefined;
  for (const key of attributes.keys()) {
    if (!key.startsWith(prefix)) continue;
    const value = contentOf(attributes.get(key));
    if (value === undefined) continue;
    root ??= Object.create(null) as Tree;
    set(root, key.slice(prefix.length).split('.'), value);
  }
  return root;
}

function set(root: Tree, path: readonly string[], value: Json): void {
  let here = root;
  for (const step of path.slice(0, -1)) {
    const next = here[step];
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) {
      here = next as Tree;
    } else {
      const made = Object.create(null) as Tree;
      here[step] = made;
      here = made;
    }
  }
  here[path.at(-1) ?? ''] = value;
}

/** Members under numbers, in the order of the numbers. */
function listed(tree: Tree | Json | undefined): Tree[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree as Tree)
    .filter(([key, value]) => /^\d+$/.test(key) && typeof value === 'object' && value !== null)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, value]) => value as Tree);
}

/** Where words are withheld the role may be left: that is no empty message. */
function saysMoreThanItsRole(entry: Tree): boolean {
  const own = (typeof entry['message'] === 'object' && entry['message'] !== null ? entry['message'] : entry) as Tree;
  return Object.keys(own).some((key) => key !== 'role' && key !== 'finish_reason');
}

/** Both spellings as one message that the message reader knows. */
function shaped(entry: Tree): Json {
  const own = (typeof entry['message'] === 'object' && entry['message'] !== null ? entry['message'] : entry) as Tree;
  const among = listed(own['contents']).filter((item) => item['tool_call'] !== undefined);
  const listedCalls = listed(own['tool_calls']);
  const calls = (listedCalls.length > 0 ? listedCalls : among).map((call) => {
    const inner = (
      typeof call['tool_call'] === 'object' && call['tool_call'] !== null ? call['tool_call'] : call
    ) as Tree;
    const named = (
      typeof inner['function'] === 'object' && inner['function'] !== null ? inner['function'] : inner
    ) as Tree;
    return {
      type: 'tool_call',
      id: inner['id'] ?? null,
      name: named['name'] ?? null,
      arguments: named['arguments'] ?? null,
    };
  });
  const contents = listed(own['contents']);
  const parts = contents
    .filter((item) => item['tool_call'] === undefined)
    .map((item) => {
      const inner = (item['message_content'] ?? item) as Tree;
      return { type: inner['type'] ?? 'text', text: inner['text'] ?? null };
    });
  return {
    role: own['role'] ?? '',
    content: parts.length > 0 ? parts : textOf(own['content']),
    tool_calls: calls.length > 0 ? calls : functionCall(own),
    ...(own['tool_call_id'] === undefined
      ? {}
      : { tool_call_id: own['tool_call_id'], name: own['name'] ?? null, tool_calls: undefined }),
  } as Json;
}

/** Before there were several calls in a message, there was one function. */
function functionCall(own: Tree): Json {
  const name = own['function_call_name'];
  if (typeof name !== 'string') return [];
  return [{ type: 'tool_call', id: null, name, arguments: (own['function_call_arguments_json'] ?? null) as Json }];
}

/** A tool's JSON answer was parsed on the way; a message's text is text again. */
function textOf(value: Tree | Json | undefined): Json {
  return value === undefined ? null : (value as Json);
}
