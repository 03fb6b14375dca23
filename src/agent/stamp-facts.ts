import type { AttributeValue } from '../trace/attributes.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { Span } from '../trace/span.ts';
import type { Run, ToolCall } from './run.ts';

type Stamps = readonly (readonly [string, AttributeValue])[];

/**
 * What is read from the words of tool calls, as stamps for the spans that tell of them: how they came out, and which try
 * of which operation each was. Our instrumentation writes the same before it withholds content.
 */
export function factStamps(runs: readonly Run[]): ReadonlyMap<Span, Stamps> {
  const stamps = new Map<Span, Stamps>();
  for (const call of runs.flatMap(({ toolCalls }) => toolCalls)) {
    const [span] = call.spans;
    if (span !== undefined)
      stamps.set(
        span,
        stampsOf(call).filter(([key]) => !span.attributes.has(key)),
      );
  }
  return stamps;
}

function stampsOf({ outcome, evidence, operation, attempt }: ToolCall): Stamps {
  const saidByResult = evidence.some((each) => each === 'result' || each === 'message');
  return [
    ...(saidByResult && (outcome === 'succeeded' || outcome === 'failed')
      ? [[ownAttributes.toolResultFailed, outcome === 'failed'] as const]
      : []),
    ...(operation === null ? [] : [[ownAttributes.attemptOperation, operation] as const]),
    ...(attempt === null ? [] : [[ownAttributes.attemptNumber, attempt] as const]),
  ];
}
