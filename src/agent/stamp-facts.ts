import type { AttributeValue } from '../trace/attributes.ts';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { Span } from '../trace/span.ts';
import type { Run, ToolCall } from './run.ts';

type Stamps = readonly (readonly [string, AttributeValue])[];

/**
 * What is read from words, as stamps for the spans that tell of it: how tool calls came out, which try of which
 * operation each was, and which traces are one run. Our instrumentation writes the same before it withholds content.
 */
export function factStamps(runs: readonly Run[]): ReadonlyMap<Span, Stamps> {
  const stamps = new Map<Span, Stamps>();
  const add = (span: Span, more: Stamps) => {
    const fresh = more.filter(([key]) => !span.attributes.has(key));
    stamps.set(span, [...(stamps.get(span) ?? []), ...fresh]);
  };
  for (const run of runs) {
    for (const span of spansToJoin(run)) add(span, [[ownAttributes.runId, run.runId ?? run.traces[0]?.traceId ?? '']]);
    for (const call of run.toolCalls) {
      const [span] = call.spans;
      if (span !== undefined) add(span, stampsOf(call));
    }
  }
  return stamps;
}

/** A run that went on in another trace is known by the words of the call that waited: from now on by its run id. */
function spansToJoin({ boundary, traces }: Run): readonly Span[] {
  return boundary === 'agent' && traces.length > 1 ? traces.flatMap(({ spans }) => spans) : [];
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
