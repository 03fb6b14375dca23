import type { Span } from '../../trace/span.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { content, firstOf, nameAfter, type Reader, text, through, unlessEmpty } from '../reading.ts';
import type { Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages, operationKind, realId, semconvFacts, semconvInput, semconvOutput, semconvUsage } from './semconv.ts';

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

// With content off ADK writes `{}` where content would stand.
const response = unlessEmpty(content('gcp.vertex.agent.llm_response'));

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

/** Where the response is withheld nobody knows whether the model thought. */
const usageIsShort: Reader<boolean> = (span, trace) =>
  span.name === 'call_llm' && response(span, trace) === undefined
    ? { value: true, from: 'gcp.vertex.agent.llm_response' }
    : undefined;

const result = unlessEmpty(content('gen_ai.tool.call.result', 'gcp.vertex.agent.tool_response'));

/** ADK answers in the tool's place while a person is asked, and when the person says no; these are its own sentences. */
const toolMark: Reader<ToolMark> = (span, trace) => {
  // What it did is written down when it has come to its end: in JavaScript never for a tool that throws.
  if (span.attributes.size === 0) return { value: 'untold', from: 'span name' };
  const found = result(span, trace);
  const said = found !== undefined && isObject(found.value) ? found.value['error'] : undefined;
  if (found === undefined || typeof said !== 'string') return undefined;
  if (said.startsWith('This tool call requires confirmation')) return { value: 'waiting', from: found.from };
  return said.startsWith('This tool call is rejected') ? { value: 'denied', from: found.from } : undefined;
};

/** `agent_run [helper]`, as it was called before. */
const olderName: Reader<string> = ({ name }) => {
  const agent = /^agent_run \[(.+)\]$/.exec(name)?.[1];
  return agent === undefined ? undefined : { value: agent, from: 'span name' };
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
    agent: firstOf(
      text('gen_ai.agent.name', 'gen_ai.workflow.name'),
      nameAfter('invoke_agent ', 'invoke_workflow '),
      olderName,
    ),
    callId: through(text('gen_ai.tool.call.id'), realId),
    arguments: unlessEmpty(content('gen_ai.tool.call.arguments', 'gcp.vertex.agent.tool_call_args')),
    result,
    toolMark,
    usage,
    usageIsShort,
    inputMessages: firstOf(semconvInput, messages('user', 'gcp.vertex.agent.llm_request')),
    outputMessages: firstOf(semconvOutput, messages('assistant', 'gcp.vertex.agent.llm_response')),
  },
  sights: [
    {
      of: 'Google ADK, JavaScript',
      when: ({ spans }) => spans[0]?.resource.attributes.get('telemetry.sdk.language') === 'nodejs',
      shows: sights('shown', { failureMarks: 'hidden', handoffs: 'shown', humanInputs: 'partly' }),
      note: 'a tool that throws leaves an unset status',
    },
    {
      of: 'Google ADK, Python',
      when: ({ spans }) => spans[0]?.resource.attributes.get('telemetry.sdk.language') === 'python',
      shows: sights('shown', { failureMarks: 'shown', handoffs: 'shown', humanInputs: 'partly' }),
    },
    {
      of: 'Google ADK, other languages',
      shows: sights('shown', { failureMarks: 'partly', handoffs: 'shown', humanInputs: 'partly' }),
    },
  ],
  silentWait: true,
  refusal: /^TOOL_ERROR$/,
};
