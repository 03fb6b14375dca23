import type { Attributes, AttributeValue } from '@opentelemetry/api';

/** After `gen_ai.tool.name`, which is asked for by itself: a constant key is found several times faster. */
const toolNameKeys = [
  'tool.name',
  'ai.toolCall.name',
  'traceloop.entity.name',
  'tool_name',
  'haystack.tool.name',
  'langsmith.trace.name',
  'genkit:name',
];

/** What each dialect says of a span that is a tool call. */
const marks: readonly (readonly [string, AttributeValue])[] = [
  ['openinference.span.kind', 'TOOL'],
  ['traceloop.span.kind', 'tool'],
  ['ai.operationId', 'ai.toolCall'],
  ['langsmith.span.kind', 'tool'],
  ['langfuse.observation.type', 'tool'],
  ['genkit:metadata:subtype', 'tool'],
];

/** True for a span that stands for the call of a tool. */
export function isToolCall(attributes: Attributes): boolean {
  const operation = attributes['gen_ai.operation.name'];
  if (operation === 'execute_tool') return true;
  if (operation === 'chat' || operation === 'invoke_agent') return false;
  if (attributes['gen_ai.tool.name'] !== undefined || attributes['tool_name'] !== undefined) return true;
  for (const [key, value] of marks) if (attributes[key] === value) return true;
  return false;
}

export function toolNameOf(attributes: Attributes): string | undefined {
  const usual = attributes['gen_ai.tool.name'];
  if (typeof usual === 'string' && usual !== '') return usual;
  for (const key of toolNameKeys) {
    const name = attributes[key];
    if (typeof name === 'string' && name !== '') return name;
  }
  return undefined;
}

const argumentKeys = [
  'gen_ai.tool.input',
  'tool_arguments',
  'ai.toolCall.args',
  'ai.toolCall.input',
  'gcp.vertex.agent.tool_call_args',
  'tool.arguments',
  'tool.parameters',
  'haystack.agent.step.tool.input',
  'traceloop.entity.input',
  'input.value',
  'langfuse.observation.input',
  'genkit:input',
  'gen_ai.prompt',
];

const resultKeys = [
  'anthropic.tool_result.content',
  'gen_ai.tool.output',
  'tool_response',
  'ai.toolCall.result',
  'ai.toolCall.output',
  'gcp.vertex.agent.tool_response',
  'haystack.agent.step.tool.output',
  'traceloop.entity.output',
  'output.value',
  'langfuse.observation.output',
  'genkit:output',
  'gen_ai.completion',
];

/** The arguments as they stand; `undefined` where the span does not hold them. */
export function argumentsIn(attributes: Attributes): AttributeValue | undefined {
  const usual = attributes['gen_ai.tool.call.arguments'];
  return usual === undefined ? firstOf(attributes, argumentKeys) : usual;
}

/** The result as it stands; `undefined` where the span does not hold it. */
export function resultIn(attributes: Attributes): AttributeValue | undefined {
  const usual = attributes['gen_ai.tool.call.result'];
  return usual === undefined ? firstOf(attributes, resultKeys) : usual;
}

function firstOf(attributes: Attributes, keys: readonly string[]): AttributeValue | undefined {
  for (const key of keys) {
    const value = attributes[key];
    if (value !== undefined) return value;
  }
  return undefined;
}
