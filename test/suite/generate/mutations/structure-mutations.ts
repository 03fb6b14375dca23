import { failed, firstChild, isMarkedFailed, replaced, subtreeOf, without } from './span-edits.ts';
import type { TraceMutation } from './trace-mutation.ts';

const elsewhere = 'dead'.repeat(8);

/** How a trace may come apart, and what may stand in it beside what was recorded. */
export const structureMutations: Readonly<Record<string, TraceMutation>> = {
  'a parent is missing': ({ spans }) => {
    const child = firstChild(spans);
    return child && replaced(spans, [child], (span) => ({ ...span, parentSpanId: 'dead00000000beef' }));
  },
  'the root is missing': ({ spans }) => {
    const root = spans.find(
      ({ parentSpanId, spanId, traceId }) =>
        parentSpanId === undefined && spans.some((one) => one.parentSpanId === spanId && one.traceId === traceId),
    );
    return root && without(spans, [root]);
  },
  'there is a second root': ({ spans }) => {
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
    return root && [...spans, { ...root, spanId: 'dead000000000001', name: 'another root' }];
  },
  'a part hangs below nothing': ({ spans }) => {
    const child = firstChild(spans);
    return child && replaced(spans, [child], (span) => ({ ...span, parentSpanId: undefined }));
  },
  'a part carries another trace id': ({ spans }) => {
    const child = firstChild(spans);
    return child && replaced(spans, subtreeOf(child, spans), (span) => ({ ...span, traceId: elsewhere }));
  },
  'a part is a trace of its own': ({ spans }) => {
    const child = firstChild(spans);
    return (
      child &&
      replaced(spans, subtreeOf(child, spans), (span) => ({
        ...span,
        traceId: elsewhere,
        parentSpanId: span === child ? undefined : span.parentSpanId,
      }))
    );
  },
  'two spans are parents of each other': ({ spans }) => {
    const child = firstChild(spans);
    const parent = spans.find(({ spanId, traceId }) => spanId === child?.parentSpanId && traceId === child.traceId);
    return child && parent && replaced(spans, [parent], (span) => ({ ...span, parentSpanId: child.spanId }));
  },
  'a span has two versions': ({ spans }) => {
    const last = spans.at(-1);
    return last && [...spans, { ...last, name: 'rewritten' }];
  },
  'a span nobody knows has failed': ({ spans }) => {
    const [first] = spans;
    return (
      first && [
        ...spans,
        failed({
          ...first,
          spanId: 'dead000000000002',
          parentSpanId: first.spanId,
          name: 'fallback',
          attributes: new Map(),
          events: [],
        }),
      ]
    );
  },
  'the top span has failed': ({ spans }) => {
    const top = spans.find((span) => span.parentSpanId === undefined && !isMarkedFailed(span));
    return top && replaced(spans, [top], failed);
  },
  'another operation is at the top': ({ spans }) => {
    const top = spans.find(({ parentSpanId }) => parentSpanId === undefined);
    return top && replaced(spans, [top], (span) => ({ ...span, name: 'nightly_cleanup' }));
  },
  'another service takes part': ({ spans }) => {
    const service = spans[0]?.resource.attributes.get('service.name');
    if (typeof service !== 'string' || service.startsWith('unknown_service')) return undefined;
    const own = spans.filter(({ resource }) => resource.attributes.get('service.name') === service);
    return replaced(spans, own, (span) => ({
      ...span,
      resource: { ...span.resource, attributes: new Map([...span.resource.attributes, ['service.name', 'intruder']]) },
    }));
  },
  'it takes an hour longer': ({ spans }) => {
    const hour = 3_600_000_000_000n;
    const ended = spans.filter(({ endUnixNano }) => endUnixNano !== undefined);
    const [last] = ended.sort((a, b) => Number((b.endUnixNano ?? 0n) - (a.endUnixNano ?? 0n)));
    return last && replaced(spans, [last], (span) => ({ ...span, endUnixNano: (span.endUnixNano ?? 0n) + hour }));
  },
};
