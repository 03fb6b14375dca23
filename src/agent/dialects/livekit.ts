import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { content, type Reader, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { messages, semconvFacts, semconvUsage } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  agent_session: 'agent',
  llm_request: 'model',
  llm_node: 'other',
  function_tool: 'tool',
  user_turn: 'other',
  agent_turn: 'other',
};

function kind({ name }: Span): LayerKind | undefined {
  return kinds[name];
}

const toolMark: Reader<ToolMark> = ({ attributes }) =>
  attributes.get('lk.function_tool.is_error') === true
    ? { value: 'failed', from: 'lk.function_tool.is_error' }
    : undefined;

export const livekit: Dialect = {
  name: 'livekit',
  scopes: /^livekit-agents$/,
  kind,
  facts: {
    ...semconvFacts,
    agent: text('lk.agent_label', 'lk.agent_name'),
    toolName: text('lk.function_tool.name', 'gen_ai.tool.name'),
    callId: text('lk.function_tool.id', 'gen_ai.tool.call.id'),
    arguments: content('lk.function_tool.arguments'),
    result: content('lk.function_tool.output'),
    toolMark,
    usage: semconvUsage,
    inputMessages: messages('user', 'lk.chat_ctx', 'gen_ai.input.messages'),
    outputMessages: messages('assistant', 'lk.response.function_calls', 'lk.response.text'),
  },
  sights: [{ of: 'LiveKit Agents', shows: sights('partly', { failureMarks: 'partly' }) }],
};
