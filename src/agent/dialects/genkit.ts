import type { Span } from '../../trace/span.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { asText, content, member, type Reader, text } from '../reading.ts';
import type { Json, Usage } from '../run.ts';
import { sights } from '../visibility.ts';
import { messages } from './semconv.ts';

const output = content('genkit:output');

function kind({ attributes }: Span): LayerKind | undefined {
  const subtype = attributes.get('genkit:metadata:subtype');
  if (subtype === 'model') return 'model';
  if (subtype === 'tool' || subtype === 'tool.v2') return 'tool';
  if (subtype === 'flow' || subtype === 'agent') return 'agent';
  if (subtype === 'retriever') return 'retrieval';
  const type = attributes.get('genkit:type');
  if (type === 'flow') return 'agent';
  return typeof type === 'string' ? 'other' : undefined;
}

const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

/** Usage stands inside the answer. */
const usage: Reader<Usage> = (span, trace) => {
  const found = member(output, 'usage')(span, trace);
  if (found === undefined || !isObject(found.value)) return undefined;
  const { inputTokens, outputTokens, cachedContentTokens, thoughtsTokens } = found.value;
  return {
    value: {
      input: number(inputTokens),
      output: number(outputTokens),
      cachedInput: number(cachedContentTokens),
      reasoning: number(thoughtsTokens),
    },
    from: found.from,
  };
};

export const genkit: Dialect = {
  name: 'genkit',
  scopes: /^genkit-tracer$/,
  keys: ['genkit:type', 'genkit:metadata:subtype'],
  kind,
  facts: {
    agent: text('genkit:name'),
    toolName: text('genkit:name'),
    arguments: content('genkit:input'),
    result: output,
    model: text('genkit:name'),
    finish: asText(member(output, 'finishReason')),
    usage,
    inputMessages: messages('user', 'genkit:input'),
    outputMessages: messages('assistant', 'genkit:output'),
  },
  sights: [
    {
      of: 'Genkit',
      shows: sights('shown', { callIds: 'hidden', failureMarks: 'shown', retrievals: 'shown', humanInputs: 'partly' }),
    },
  ],
  // An interrupt waits for a person; it is thrown, and written down as an error.
  controlFlow: /^(ToolInterruptError|ToolRestartError)$/,
};
