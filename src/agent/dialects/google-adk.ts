import type { Span } from '../../trace/span.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { content, firstOf, nameAfter, type Reader, text, through } from '../reading.ts';
import type { Json, Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages, operationKind, realId, semconvFacts, semconvUsage } from './semconv.ts';

function kind({ attributes, name }: Span): LayerKind | undefined {
  if (/^execute_tool \(merged/.test(name) || attributes.get('gen_ai.tool.name') === '(merged tools)') return 'phantom';
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  // A tool that throws leaves a span without attributes: the name alone tells of it.
  if (name.startsWith('execute_tool ')) return 'tool';
  if (name === 'call_llm') return 'model';
  if (/^(invocation|agent_run|invoke_agent|invoke_workflow)\b/.test(name)) return 'agent';
  return undefined;
}

/** With content off ADK writes `{}` where content would stand. */
function unlessEmpty(value: Json): Json | undefined {
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

const response = through(content('gcp.vertex.agent.llm_response'), unlessEmpty);

/** Thoughts are not in `output_tokens`; the response tells them. */
const usage: Reader<Usage> = (span, trace) => {
  const told = semconvUsage(span, trace);
  const found = response(span, trace);
  const meta =
    found !== undefined && isObject(found.value)
      ? (found.value['usageMetadata'] ?? found.value['usage_metadata'])
      : undefined;
  const thoughts = isObject(meta) ? (meta['thoughtsTokenCount'] ?? meta['thoughts_token_count']) : undefined;
  const cached = isObject(meta) ? (meta['cachedContentTokenCount'] ?? meta['cached_content_token_count']) : undefined;
  if (told === undefined) return undefined;
  const extra = typeof thoughts === 'number' && told.value.reasoning === null ? thoughts : 0;
  return {
    value: {
      ...told.value,
      output: told.value.output === null ? null : told.value.output + extra,
      cachedInput: told.value.cachedInput ?? (typeof cached === 'number' ? cached : null),
      reasoning: told.value.reasoning ?? (typeof thoughts === 'number' ? thoughts : null),
    },
    from: told.from,
  };
};

export const googleAdk: Dialect = {
  name: 'google-adk',
  scopes: /^gcp\.vertex\.agent$/,
  keys: ['gcp.vertex.agent.event_id', 'gcp.vertex.agent.invocation_id'],
  kind,
  facts: {
    ...semconvFacts,
    run: text('gcp.vertex.agent.invocation_id'),
    conversation: text('gen_ai.conversation.id', 'gcp.vertex.agent.session_id'),
    agent: firstOf(text('gen_ai.agent.name', 'gen_ai.workflow.name'), nameAfter('invoke_agent ', 'invoke_workflow ')),
    callId: through(text('gen_ai.tool.call.id'), realId),
    arguments: through(content('gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args'), unlessEmpty),
    result: through(content('gen_ai.tool.call.result', 'gcp.vertex.agent.tool_response'), unlessEmpty),
    usage,
    inputMessages: firstOf(messages('user', 'gen_ai.input.messages'), messages('user', 'gcp.vertex.agent.llm_request')),
    outputMessages: firstOf(
      messages('assistant', 'gen_ai.output.messages'),
      messages('assistant', 'gcp.vertex.agent.llm_response'),
    ),
  },
  sight: () => sights('shown'),
};
