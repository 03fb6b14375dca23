import type { Dialect } from '../dialect.ts';
import { content, firstOf, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { messages, operationKind, semconvFacts } from './semconv.ts';

const ops: Readonly<Record<string, string>> = {
  'gen_ai.invoke_agent': 'invoke_agent',
  'gen_ai.execute_tool': 'execute_tool',
  'gen_ai.handoff': 'agent_handoff',
};

/** `gen_ai.chat`, `gen_ai.responses`, `gen_ai.generate_text`, …: every way to call a model has an op of its own. */
const modelOp = /^gen_ai\.(chat|responses|messages|completions?|text_completion|(generate|stream)_\w+)$/;

function operationOf(op: unknown): string | undefined {
  if (typeof op !== 'string') return undefined;
  return modelOp.test(op) ? 'chat' : ops[op];
}

/** Sentry's SDKs: the conventions, with content in keys of their own. */
export const sentry: Dialect = {
  name: 'sentry',
  scopes: /^(@sentry\/|sentry($|\.))/,
  keys: ['gen_ai.tool.input', 'gen_ai.response.text', 'gen_ai.response.tool_calls', 'gen_ai.pipeline.name'],
  kind: ({ attributes }) => {
    return (
      operationKind(attributes.get('gen_ai.operation.name')) ?? operationKind(operationOf(attributes.get('sentry.op')))
    );
  },
  facts: {
    ...semconvFacts,
    agent: text('gen_ai.agent.name', 'gen_ai.pipeline.name'),
    arguments: content('gen_ai.tool.call.arguments', 'gen_ai.tool.input'),
    result: content('gen_ai.tool.call.result', 'gen_ai.tool.output'),
    inputMessages: firstOf(
      messages('user', 'gen_ai.input.messages', 'gen_ai.request.messages', 'gen_ai.prompt'),
      messages('user', 'gen_ai.prompt'),
    ),
    outputMessages: firstOf(
      messages('assistant', 'gen_ai.output.messages'),
      messages('assistant', 'gen_ai.response.tool_calls'),
      messages('assistant', 'gen_ai.response.text'),
    ),
  },
  sights: [{ of: 'Sentry SDKs', shows: sights('partly', { failureMarks: 'partly' }) }],
};
