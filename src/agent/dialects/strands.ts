import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { messagesOf } from '../messages/messages.ts';
import { content, firstOf, firstWord, type Reader, text } from '../reading.ts';
import type { Json, Message } from '../run.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';
import { eventContent, eventWord } from './span-events.ts';

function kind({ attributes, name }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  if (/^invoke_(graph|swarm)\b/.test(name)) return 'agent';
  return /^(execute_(event|agent)_loop_cycle|node )/.test(name) ? 'other' : undefined;
}

const details = 'gen_ai.client.inference.operation.details';

/** Tool spans of the newer form carry arguments and result as messages of their own. */
const partOf = (key: string, pick: (message: Message) => Json | undefined): Reader<Json> => {
  const read = eventContent(details, key);
  return (span, trace) => {
    const found = read(span, trace);
    const value = messagesOf(found?.value)
      .map(pick)
      .find((one) => one !== undefined);
    return found === undefined || value === undefined ? undefined : { value, from: found.from };
  };
};

const toolMark: Reader<ToolMark> = ({ attributes, status: { code } }) => {
  const status = attributes.get('gen_ai.tool.status');
  if (status === 'error') return { value: 'failed', from: 'gen_ai.tool.status' };
  // A tool span that ended well and has no status of its own was interrupted: a person is asked first.
  return code === 'ok' && status === undefined ? { value: 'waiting', from: 'gen_ai.tool.status' } : undefined;
};

/** Strands Agents, Python and TypeScript. Content is in span events; its scope is the application's name. */
export const strands: Dialect = {
  name: 'strands',
  scopes: /^(strands-agents|strands\.telemetry\.tracer)$/,
  keys: ['gen_ai.event.start_time', 'event_loop.cycle_id', 'agent_loop.cycle_id'],
  kind,
  facts: {
    ...semconvFacts,
    arguments: firstOf(
      semconvFacts.arguments ?? content(),
      eventContent('gen_ai.tool.message', 'content'),
      partOf('gen_ai.input.messages', ({ toolCalls }) => toolCalls[0]?.arguments),
    ),
    result: firstOf(
      semconvFacts.result ?? content(),
      eventContent('gen_ai.choice', 'message'),
      partOf('gen_ai.output.messages', ({ toolResults }) => toolResults[0]?.result),
    ),
    toolMark,
    finish: firstOf(firstWord('gen_ai.response.finish_reasons'), eventWord('gen_ai.choice', 'finish_reason')),
    agent: firstOf(text('gen_ai.agent.name'), semconvFacts.agent ?? text()),
  },
  sights: [{ of: 'Strands Agents', shows: sights('shown', { failureMarks: 'shown', humanInputs: 'partly' }) }],
  ownTools: /^strands_structured_output$/,
};
