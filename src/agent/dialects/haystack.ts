import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { asText, content, member, type Reader, text } from '../reading.ts';
import type { Json, Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages } from './semconv.ts';

const kinds: Readonly<Record<string, LayerKind>> = {
  'haystack.agent.run': 'agent',
  'haystack.agent.step.llm': 'model',
  'haystack.agent.step.tool': 'tool',
  'haystack.agent.hook.human_in_the_loop.strategy': 'human-input',
};

function kind(span: Span): LayerKind | undefined {
  const known = kinds[span.name];
  if (known !== undefined) return known;
  if (span.name === 'haystack.pipeline.run') return span.parentSpanId === undefined ? 'agent' : 'other';
  return span.name.startsWith('haystack.') ? 'other' : undefined;
}

const answer = content('haystack.agent.step.llm.output');
const meta = member(answer, 'replies', '0', 'meta');

/** Failures keep their status; this mark stays also without content. */
const toolMark: Reader<ToolMark> = ({ attributes }) =>
  attributes.get('haystack.tool.error') === true ? { value: 'failed', from: 'haystack.tool.error' } : undefined;

/** Usage stands inside the answer only. */
const usage: Reader<Usage> = (span, trace) => {
  const found = member(meta, 'usage')(span, trace);
  if (found === undefined || !isObject(found.value)) return undefined;
  const {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details,
    completion_tokens_details,
  } = found.value;
  return {
    value: {
      input: numberOf(input),
      output: numberOf(output),
      cachedInput: isObject(prompt_tokens_details) ? numberOf(prompt_tokens_details['cached_tokens']) : null,
      reasoning: isObject(completion_tokens_details) ? numberOf(completion_tokens_details['reasoning_tokens']) : null,
    },
    from: found.from,
  };
};

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** An agent is a component; its name stands on the span around it. */
const agentName: Reader<string> = (span: Span, trace: Trace) => {
  const above = span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
  return text('haystack.component.name')(above ?? span, trace) ?? toolOf(above, trace);
};

function toolOf(above: Span | undefined, trace: Trace): ReturnType<Reader<string>> {
  return above === undefined ? undefined : text('haystack.tool.name')(above, trace);
}

/** Haystack's own tracer writes under the scope of the application: only names tell. */
export const haystack: Dialect = {
  name: 'haystack',
  names: /^haystack\./,
  keys: ['haystack.component.name', 'haystack.tool.name', 'haystack.agent.max_steps', 'haystack.pipeline.input_data'],
  kind,
  facts: {
    agent: agentName,
    toolName: text('haystack.tool.name'),
    arguments: content('haystack.agent.step.tool.input'),
    result: content('haystack.agent.step.tool.output'),
    toolMark,
    model: asText(member(meta, 'model')),
    finish: asText(member(meta, 'finish_reason')),
    usage,
    outputMessages: messages('assistant', 'haystack.agent.step.llm.output'),
  },
  sights: [
    {
      of: 'Haystack pipelines without an agent, and agents before version 3, its own tracer',
      when: ({ spans }) => !spans.some(({ name }) => name.startsWith('haystack.agent.step.')),
      shows: sights('hidden', { failureMarks: 'partly' }),
      note: 'components, whatever they do',
    },
    {
      of: 'Haystack with a component that runs tools beside its agents',
      when: ({ spans }) => spans.some(({ attributes }) => attributes.get('haystack.component.type') === 'ToolInvoker'),
      shows: sights('partly', { failureMarks: 'partly' }),
    },
    {
      of: 'Haystack agents, its own tracer',
      shows: sights('shown', { callIds: 'partly', failureMarks: 'shown', humanInputs: 'shown' }),
    },
  ],
};
