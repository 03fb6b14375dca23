import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { content, firstOf, firstWord, type Reader, text, usage } from '../reading.ts';
import { sights } from '../visibility.ts';
import { eventContent } from './span-events.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  'claude_code.interaction': 'agent',
  'claude_code.llm_request': 'model',
  'claude_code.tool': 'tool',
  'claude_code.tool.execution': 'tool',
  'claude_code.tool.blocked_on_user': 'human-input',
  'claude_code.hook': 'other',
};

function kind({ name }: Span): LayerKind | undefined {
  return kinds[name] ?? (name.startsWith('claude_code.') ? 'other' : undefined);
}

/** `success` is text; a failure stands on the execution alone. */
const toolMark: Reader<ToolMark> = ({ attributes }) => {
  const success = attributes.get('success');
  if (success === 'false' || success === false) return { value: 'failed', from: 'success' };
  if (success === 'true' || success === true) return { value: 'succeeded', from: 'success' };
  const decision = attributes.get('decision');
  return decision === 'reject' ? { value: 'denied', from: 'decision' } : undefined;
};

/** Claude Code and the Claude Agent SDK, their own spans. Nothing of them stands in the keys of the conventions. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  scopes: /^com\.anthropic\.claude_code/,
  names: /^claude_code\./,
  kind,
  facts: {
    run: text('workflow.run_id'),
    conversation: text('session.id'),
    agent: text('agent_id', 'subagent_type'),
    toolName: text('tool_name', 'gen_ai.tool.name'),
    callId: text('gen_ai.tool.call.id', 'tool_use_id'),
    arguments: content('tool_input'),
    result: eventContent('tool.output', 'output'),
    toolMark,
    model: text('gen_ai.request.model', 'model'),
    responseId: text('gen_ai.response.id', 'request_id'),
    finish: firstOf(firstWord('gen_ai.response.finish_reasons'), text('stop_reason')),
    // Anthropic counts cached tokens apart.
    usage: (span, trace) => {
      const found = counts(span, trace);
      if (found === undefined) return undefined;
      const { input, output, cachedInput, reasoning: written } = found.value;
      return {
        value: {
          input: input === null ? null : input + (cachedInput ?? 0) + (written ?? 0),
          output,
          cachedInput,
          reasoning: null,
        },
        from: found.from,
      };
    },
  },
  sights: [
    {
      of: 'Claude Code and Claude Agent SDK',
      shows: sights('shown', {
        arguments: 'partly',
        results: 'partly',
        content: 'hidden',
        subAgents: 'partly',
        failureMarks: 'shown',
        humanInputs: 'shown',
      }),
      note: 'texts are in log events only',
    },
  ],
};

/** The last of the four holds what was written into the cache. */
const counts = usage({
  input: ['input_tokens'],
  output: ['output_tokens'],
  cachedInput: ['cache_read_tokens'],
  reasoning: ['cache_creation_tokens'],
});
