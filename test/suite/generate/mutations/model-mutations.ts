import type { ModelCall } from '../../../../src/agent/run.ts';
import type { Span } from '../../../../src/trace/span.ts';
import { again, areLeaves, failed, isMarkedFailed, renamed, replaced, without } from './span-edits.ts';
import type { TraceMutation } from './trace-mutation.ts';

/** What a run may do otherwise with its models. */
export const modelMutations: Readonly<Record<string, TraceMutation>> = {
  'a model call is missing': ({ spans, run }) => {
    const call = run.modelCalls.findLast((each) => areLeaves(each.spans, spans));
    const left = call === undefined ? [] : without(spans, call.spans);
    // Of a run that was this call and nothing else nothing is left that could be wrong.
    return left.length > 0 ? left : undefined;
  },
  'a model is called once more': ({ spans, run }) => {
    const call = run.modelCalls.findLast((each) => areLeaves(each.spans, spans));
    return call && [...spans, ...again(call.spans, idOf(call))];
  },
  'models are called in a loop': ({ spans, run }) => {
    const call = run.modelCalls.findLast((each) => areLeaves(each.spans, spans));
    return call && [...spans, ...again(call.spans, idOf(call), 30)];
  },
  'another model answers': ({ spans, run }) => {
    const call = run.modelCalls.find(({ model, spans: own }) => own.some((span) => valuesOf(span).includes(model)));
    const model = call?.model ?? '';
    if (call === undefined || model === '') return undefined;
    return replaced(spans, call.spans, (span) => renamed(span, model, 'cheap-model-1'));
  },
  'a hundred times the tokens': ({ spans, run }) => {
    const call = run.modelCalls.findLast(({ usage, spans: own }) => own.some((span) => tells(span, usage?.input)));
    const used = call?.usage?.input ?? null;
    if (call === undefined || used === null) return undefined;
    return replaced(spans, call.spans, (span) => {
      const attributes = [...span.attributes].map(
        ([key, value]) => [key, isNumber(value, used) ? used * 100 : value] as const,
      );
      return { ...span, attributes: new Map(attributes) };
    });
  },
  'a model call fails': ({ spans, run }) => {
    const call = run.modelCalls.findLast((each) => each.spans.length > 0 && !each.spans.some(isMarkedFailed));
    return call && replaced(spans, call.spans, failed);
  },
};

function idOf({ responseId }: ModelCall): [string, string][] {
  return responseId === null ? [] : [[responseId, `${responseId}_again`]];
}

function valuesOf({ attributes }: Span): unknown[] {
  return [...attributes.values()];
}

function tells(span: Span, used: number | null | undefined): boolean {
  return used !== null && used !== undefined && used > 0 && valuesOf(span).some((value) => isNumber(value, used));
}

function isNumber(value: unknown, number: number): boolean {
  return value === number || (typeof value === 'bigint' && value === BigInt(number));
}
