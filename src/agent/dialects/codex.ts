import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { semconvUsage } from './semconv.ts';

/** Codex CLI: the spans are the functions of the program. A few of them tell of the turn. */
function kind({ name, attributes }: Span): LayerKind | undefined {
  if (name === 'session_task.turn') return 'agent';
  if (name === 'run_sampling_request') return 'loop';
  if (name === 'handle_responses') return attributes.has('gen_ai.usage.input_tokens') ? 'model' : 'phantom';
  return attributes.has('call_id') && attributes.has('tool_name') ? 'tool' : undefined;
}

export const codex: Dialect = {
  name: 'codex',
  scopes: /^codex(_exec|_cli_rs|_tui|_mcp_server|_app_server)?$/,
  kind,
  facts: {
    run: text('turn.id'),
    agent: (span) => (span.name === 'session_task.turn' ? { value: 'codex', from: 'span name' } : undefined),
    toolName: text('tool_name'),
    callId: text('call_id'),
    model: text('model', 'gen_ai.request.model'),
    usage: semconvUsage,
  },
  sights: [
    {
      of: 'Codex CLI',
      shows: sights('shown', {
        failedModelCalls: 'hidden',
        failedToolCalls: 'partly',
        arguments: 'hidden',
        results: 'hidden',
        content: 'hidden',
        subAgents: 'hidden',
      }),
      note: 'every status is unset; results are in log events only',
    },
  ],
};
