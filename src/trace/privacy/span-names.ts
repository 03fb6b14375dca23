import { isLabel, isWord } from './metadata-values.ts';
import { isPlaceholder } from './placeholder.ts';

/** First words after which conventions put a name: `execute_tool {tool}`, `chat {model}`, `POST {route}`. */
const operations: ReadonlySet<string> = new Set(
  `chat text_completion generate_content embeddings retrieval rerank plan create_agent invoke_agent invoke_workflow
  invoke_swarm invoke_graph execute_tool execute_node execute_handoff agent_handoff handoff agent_run agent_step
  model_step model_chunk model_generation model_inference workflow_step mapping step Step node running turn
  search_memory create_memory update_memory upsert_memory delete_memory executor.process edge_group.process
  anthropic.custom_tool_use anthropic.mcp_tool_use anthropic.tool_use tools/call prompts/get resources/read MCP send
  human_input approval load_skill GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT HTTP QUERY SELECT INSERT UPDATE
  MERGE CREATE DROP ALTER BEGIN COMMIT ROLLBACK publish receive process settle create Agent OpenAI Chat First Token
  `
    .trim()
    .split(/\s+/),
);
/** Words that conventions put between an operation and a name. */
const fillers: ReadonlySet<string> = new Set(
  'to send tools/call tools tool Stream Event Completions workflow'.split(' '),
);

/** After these stands a model, which is one word: several are what somebody said to it. */
const ofModels: ReadonlySet<string> = new Set(['chat', 'text_completion', 'generate_content', 'embeddings', 'rerank']);

/**
 * True for a name that code gives to a span or event: one word, or a known operation with the name of its tool, agent,
 * model or route. Anything else may be what a user said.
 *
 * @example
 * isSpanName('execute_tool lookup_order'); // true
 * isSpanName('chat: My locker code is 4471'); // false
 * isSpanName('chat please refund me'); // false
 */
export function isSpanName(name: string): boolean {
  if (name === '' || isPlaceholder(name)) return true;
  const space = name.indexOf(' ');
  if (space === -1) return isWord(name);
  const operation = name.slice(0, space);
  if (!operations.has(operation)) return false;
  const rest = name.slice(space + 1);
  return ofModels.has(operation) ? isWord(rest) : isRest(rest);
}

function isRest(rest: string): boolean {
  let words = rest.split(' ');
  while (words.length > 1 && words[0] !== undefined && fillers.has(words[0])) words = words.slice(1);
  // One word, or a label as a person may have typed it for an agent or tool.
  return isLabel(words.join(' ')) || isRoute(words.join(' '));
}

/** A route template; parameters in it are names, not values. */
function isRoute(text: string): boolean {
  return text.length <= 120 && /^\/[\w./:{}*()<>-]*$/.test(text) && !/\d{5}/.test(text);
}

/**
 * The path or address in a name, which may hold what people asked for; `undefined` without one.
 *
 * @example
 * pathIn('GET /users/alice'); // '/users/alice'
 * pathIn('POST'); // undefined
 */
export function pathIn(name: string): string | undefined {
  return /(?:^| )(\/.*|[a-z][a-z0-9+.-]*:\/\/.*)/i.exec(name)?.[1];
}

/**
 * The known operation at the start of a name that is withheld; `undefined` without one.
 *
 * @example
 * operationOf('chat: My locker code is 4471'); // 'chat'
 */
export function operationOf(name: string): string | undefined {
  const first = /^[\w./]{1,40}/.exec(name)?.[0];
  return first !== undefined && operations.has(first) ? first : undefined;
}
