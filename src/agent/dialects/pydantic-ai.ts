import type { Span } from '../../trace/span.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { messagesOf } from '../messages/messages.ts';
import { content, firstOf, type Reader, text, usage } from '../reading.ts';
import type { Json, Message } from '../run.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts, semconvUsage } from './semconv.ts';

/** Version 1 and 2 name their spans otherwise and leave the operation out. */
function kind({ attributes, name }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  if (name === 'agent run' || name.endsWith(' run')) return attributes.has('agent_name') ? 'agent' : undefined;
  if (attributes.has('tool_arguments') || (name === 'running tool' && attributes.has('gen_ai.tool.name')))
    return 'tool';
  return /^running \d+ tools?$/.test(name) ? 'other' : undefined;
}

/** The tool raised that a person, or another system, must act first. */
const toolMark: Reader<ToolMark> = ({ attributes }) => {
  // The arguments were refused before the tool began.
  if (attributes.get('pydantic_ai.tool.failure_stage') === 'validation')
    return { value: 'not-run', from: 'pydantic_ai.tool.failure_stage' };
  return typeof attributes.get('pydantic_ai.tool.deferral.name') === 'string'
    ? { value: 'steered', from: 'pydantic_ai.tool.deferral.name' }
    : undefined;
};

const events = content('events');

/** Version 1: one list of message events, the answer among them. */
function fromEvents(isAnswer: boolean): Reader<readonly Message[]> {
  return (span, trace) => {
    const found = events(span, trace);
    if (found === undefined || !Array.isArray(found.value)) return undefined;
    const chosen = (found.value as readonly Json[]).filter(
      (event) => (isObject(event) && event['event.name'] === 'gen_ai.choice') === isAnswer,
    );
    const value = messagesOf(chosen, isAnswer ? 'assistant' : 'user');
    return value.length === 0 ? undefined : { value, from: found.from };
  };
}

const none: Reader<readonly Message[]> = () => undefined;

export const pydanticAi: Dialect = {
  name: 'pydantic-ai',
  scopes: /^pydantic-ai$/,
  keys: ['model_request_parameters', 'pydantic_ai.all_messages', 'all_messages_events', 'tool_arguments'],
  kind,
  facts: {
    ...semconvFacts,
    agent: firstOf(text('gen_ai.agent.name', 'agent_name'), semconvFacts.agent ?? text()),
    arguments: content('gen_ai.tool.call.arguments', 'tool_arguments'),
    result: content('gen_ai.tool.call.result', 'tool_response'),
    toolMark,
    usage: firstOf(
      usage({
        input: ['gen_ai.aggregated_usage.input_tokens'],
        output: ['gen_ai.aggregated_usage.output_tokens'],
        cachedInput: ['gen_ai.aggregated_usage.cache_read.input_tokens'],
        reasoning: ['gen_ai.aggregated_usage.details.reasoning_tokens'],
      }),
      semconvUsage,
    ),
    inputMessages: firstOf(semconvFacts.inputMessages ?? none, fromEvents(false)),
    outputMessages: firstOf(semconvFacts.outputMessages ?? none, fromEvents(true)),
  },
  sights: [
    {
      of: 'pydantic-ai',
      shows: sights('shown', { failureMarks: 'shown', humanInputs: 'partly' }),
    },
  ],
  agentTotals: true,
  ownTools: /^final_result(_|$)/,
};
