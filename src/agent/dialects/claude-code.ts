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

function kind({ name, attributes }: Span): LayerKind | undefined {
  // A rule or a hook may decide in the person's place.
  if (name === 'claude_code.tool.blocked_on_user' && /^(config|hook|policy)/.test(String(attributes.get('source'))))
    return 'other';
  return kinds[name] ?? (name.startsWith('claude_code.') ? 'other' : undefined);
}

/** `success` is text; a failure stands on the execution alone. */
const toolMark: Reader<ToolMark> = ({ spanId, name, attributes }, trace) => {
  const success = attributes.get('success');
  if (success === 'false' || success === false) return { value: 'failed', from: 'success' };
  if (success === 'true' || success === true) return { value: 'succeeded', from: 'success' };
  if (name !== 'claude_code.tool') return undefined;
  // What a person was asked about and did not allow has no execution below it.
  const below = trace.childrenOf(spanId);
  const asked = below.find((child) => child.name === 'claude_code.tool.blocked_on_user');
  if (asked === undefined || below.some((child) => child.name === 'claude_code.tool.execution')) return undefined;
  const decision = asked.attributes.get('decision');
  const denied = typeof decision === 'string' && /^(reject|den)/.test(decision);
  return { value: denied ? 'denied' : 'not-run', from: 'decision' };
};

/** A request that was given up, under whatever status. */
const failed: Reader<boolean> = ({ name, attributes }) => {
  const success = attributes.get('success');
  return name === 'claude_code.llm_request' && (success === 'false' || success === false)
    ? { value: true, from: 'success' }
    : undefined;
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
    failed,
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
