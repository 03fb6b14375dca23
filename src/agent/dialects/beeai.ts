import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { content, firstOf, type Reader, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { openInference } from './openinference.ts';

/**
 * BeeAI through OpenInference: events written down as spans after the run. A call of a tool is a start, a success or an
 * error, and a finish; around them an agent may write events of the same call. One of them stands for the call.
 */
function kind(span: Span): LayerKind | undefined {
  const told = span.attributes.get('openinference.span.kind');
  const event = eventOf(span);
  if (told === 'AGENT') return event === undefined ? 'agent' : 'other';
  if (told === 'LLM') return event === undefined || event === 'success' || event === 'error' ? 'model' : 'phantom';
  if (told === 'TOOL') {
    return event === undefined || event === 'success' || event === 'error' || event === 'toolStart'
      ? 'tool'
      : 'phantom';
  }
  return typeof told === 'string' ? 'other' : undefined;
}

/** The last word of the event's path; the span around the whole run has none. */
function eventOf({ attributes }: Span): string | undefined {
  const target = attributes.get('target');
  return typeof target === 'string' ? target.slice(target.lastIndexOf('.') + 1) : undefined;
}

/** `tool.dynamic.lookupOrder.success`: the framework's spelling of the name. */
const pathName: Reader<string> = ({ attributes }) => {
  const target = attributes.get('target');
  const name = typeof target === 'string' && target.startsWith('tool.') ? target.split('.').at(-2) : undefined;
  return name === undefined ? undefined : { value: name, from: 'target' };
};

export const beeai: Dialect = {
  ...openInference,
  name: 'openinference-beeai',
  scopes: /openinference[.-]instrumentation[.-]beeai$/,
  keys: ['beeai.version'],
  kind,
  facts: {
    ...openInference.facts,
    agent: text('source'),
    toolName: text('tool.name'),
    toolLabel: pathName,
    arguments: firstOf(content('tool.parameters'), content('input.value')),
    result: content('output.value'),
  },
  // Made after the run, by listening: what the framework does not announce is not there.
  sights: [{ of: 'BeeAI, OpenInference', shows: sights('shown', { callIds: 'hidden', failureMarks: 'shown' }) }],
};
