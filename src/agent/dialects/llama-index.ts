import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { isObject } from '../content.ts';
import type { Dialect, LayerKind, ToolMark } from '../dialect.ts';
import { asText, content, firstOf, member, type Reader, text, through } from '../reading.ts';
import type { Json } from '../run.ts';
import { sights } from '../visibility.ts';
import { openInference } from './openinference.ts';
import { traceloop, traceloopKind } from './traceloop.ts';

/** Preparing a request is written down as a model span of its own; no model is called in it. */
const preparing = /\._prepare_chat_with_tools$/;

export const llamaIndexOverOpenInference: Dialect = {
  ...openInference,
  name: 'openinference-llama-index',
  scopes: /^openinference\.instrumentation\.llama_?index$/,
  keys: [],
  kind: (span: Span, trace: Trace): LayerKind | undefined =>
    preparing.test(span.name) ? 'other' : openInference.kind(span, trace),
  sights: [
    {
      of: 'LlamaIndex, OpenInference',
      shows: sights('shown', {
        callIds: 'hidden',
        failureMarks: 'shown',
        retrievals: 'shown',
        handoffs: 'shown',
        humanInputs: 'partly',
      }),
    },
  ],
  // A tool that asks a person is left by this exception, and run anew with the answer.
  controlFlow: /^(workflows|llama_index)\.[\w.]*WaitingForEvent$/,
};

const output = content('traceloop.entity.output');
const toolOutput = member(output, 'tool_output');

const toolMark: Reader<ToolMark> = (span, trace) => {
  const found = toolOutput(span, trace);
  // The tool's own span is below the step where it came to its end; else it was left, by a failure or to ask a person.
  const isOwn = ({ scope }: Span) => scope.name === span.scope.name;
  if (found === undefined && !trace.childrenOf(span.spanId).some(isOwn)) return { value: 'steered', from: 'children' };
  if (found === undefined || !isObject(found.value) || typeof found.value['is_error'] !== 'boolean') return undefined;
  return { value: found.value['is_error'] ? 'failed' : 'succeeded', from: found.from };
};

/** Traceloop's package: a step of the workflow that names a tool is the call of it. A failure is only in its output. */
export const llamaIndexOverTraceloop: Dialect = {
  ...traceloop,
  name: 'traceloop-llama-index',
  scopes: /^opentelemetry\.instrumentation\.llamaindex$/,
  keys: [],
  kind: (span: Span): LayerKind | undefined => (span.attributes.has('tool.name') ? 'tool' : traceloopKind(span)),
  facts: {
    ...traceloop.facts,
    agent: text('gen_ai.agent.name', 'traceloop.workflow.name', 'traceloop.entity.name'),
    toolName: text('tool.name'),
    callId: asText(member(output, 'tool_id')),
    arguments: firstOf(content('tool.arguments'), member(output, 'tool_kwargs')),
    result: through(toolOutput, (value: Json) => (isObject(value) ? (value['raw_output'] ?? value['blocks']) : value)),
    toolMark,
  },
  sights: [
    {
      of: 'LlamaIndex, Traceloop',
      shows: sights('shown', { failedModelCalls: 'hidden', failedToolCalls: 'partly', handoffs: 'shown' }),
      note: 'a function that throws never ends its span; failures are told in results only',
    },
  ],
};
