import type { Run, ToolCall } from '../../../src/agent/run.ts';
import type { AttributeMap, AttributeValue } from '../../../src/trace/attributes.ts';
import type { Span } from '../../../src/trace/span.ts';

/** What was recorded: the run with the most tool calls, and its spans. */
export interface Recording {
  readonly spans: readonly Span[];
  readonly run: Run;
  /** The suite says that content stays where it is. */
  readonly keepsContentIn: boolean;
  /** The suite says that the trace is one whole. */
  readonly joined: boolean;
}

/** One change that makes the run another one; `undefined` where it cannot be made. */
export type TraceMutation = (recording: Recording) => readonly Span[] | undefined;

/** Ten ways to go wrong, and an eleventh. */
export const traceMutations: Readonly<Record<string, TraceMutation>> = {
  'drop a tool span': ({ spans, run }) => {
    const call = run.toolCalls.findLast(
      (each) => each.spans.length > 0 && each.spans.every((span) => isLeaf(span, spans)),
    );
    return call === undefined ? undefined : spans.filter((span) => !call.spans.includes(span));
  },
  'call a tool a second time': ({ spans, run }) => {
    const call = lastWithSpans(run);
    // Beside a call without a span of its own, one more span would stand for that one.
    const isTold = run.toolCalls.every((each) => each.spans.length > 0);
    return call === undefined || !isTold ? undefined : [...spans, ...secondCall(call)];
  },
  'swap the order of two tools': ({ spans, run }) => {
    const first = run.toolCalls.find(ran);
    const last = run.toolCalls.findLast((call) => ran(call) && call.name !== first?.name);
    if (first === undefined || last === undefined) return undefined;
    const [a, b] = [first, last].map(({ spans: [span] }) => span as Span) as [Span, Span];
    if (b.startUnixNano < (a.endUnixNano ?? a.startUnixNano)) return undefined;
    return replaced(spans, first.spans, (span) => at(span, b)).map((span) =>
      last.spans.some(({ spanId }) => spanId === span.spanId) ? at(span, a) : span,
    );
  },
  'fail a call': ({ spans, run }) => {
    const call = lastWithSpans(run);
    return call === undefined ? undefined : replaced(spans, call.spans, failed);
  },
  'orphan a span': ({ spans, joined }) => {
    const child = joined ? spans.find((span) => span.parentSpanId !== undefined) : undefined;
    return child && replaced(spans, [child], (span) => ({ ...span, parentSpanId: 'dead00000000beef' }));
  },
  'add a second root': ({ spans, joined }) => {
    const [first] = spans;
    return joined && first !== undefined
      ? [...spans, { ...first, spanId: 'dead000000000001', parentSpanId: undefined, name: 'another root' }]
      : undefined;
  },
  'go over a budget': ({ spans }) => {
    const hour = 3_600_000_000_000n;
    const [last] = [...spans].sort((a, b) => Number((b.endUnixNano ?? 0n) - (a.endUnixNano ?? 0n)));
    if (last?.endUnixNano === undefined) return undefined;
    return replaced(spans, [last], (span) => ({ ...span, endUnixNano: (span.endUnixNano ?? 0n) + hour }));
  },
  'leak content': ({ spans, keepsContentIn }) => {
    const [first] = spans;
    if (first === undefined || !keepsContentIn) return undefined;
    const words = 'Please refund my order, I live at 9 Elm Row';
    return replaced(spans, [first], (span) => withAttributes(span, [['note.of.the.user', words]]));
  },
  'call another tool': ({ spans, run }) => {
    const call = lastWithSpans(run);
    const name = call?.name ?? '';
    if (call === undefined || name === '') return undefined;
    return replaced(spans, call.spans, (span) => renamed(span, name, 'delete_account'));
  },
  'drop the root': ({ spans, joined }) => {
    const roots = spans.filter((span) => span.parentSpanId === undefined);
    const root = joined ? roots.find((span) => !isLeaf(span, spans)) : undefined;
    return root && spans.filter((span) => span !== root);
  },
  'rewrite a span': ({ spans, joined }) => {
    const last = spans.at(-1);
    return joined && last !== undefined ? [...spans, { ...last, name: 'rewritten' }] : undefined;
  },
};

function isLeaf({ spanId }: Span, spans: readonly Span[]): boolean {
  return !spans.some(({ parentSpanId }) => parentSpanId === spanId);
}

function lastWithSpans({ toolCalls }: Run): ToolCall | undefined {
  return toolCalls.findLast((call) => ran(call) && call.outcome !== 'failed');
}

function replaced(spans: readonly Span[], these: readonly Span[], by: (span: Span) => Span): Span[] {
  return spans.map((span) => (these.includes(span) ? by(span) : span));
}

function at(span: Span, { startUnixNano, endUnixNano }: Span): Span {
  return { ...span, startUnixNano, endUnixNano };
}

function failed(span: Span): Span {
  const attributes = withAttributes(span, [['error.type', 'Error']]).attributes;
  const exception = { name: 'exception', timeUnixNano: span.startUnixNano, droppedAttributesCount: 0 };
  const event = { ...exception, attributes: new Map([['exception.type', 'Error']]) };
  return { ...span, attributes, status: { code: 'error', message: '' }, events: [...span.events, event] };
}

/** It left spans, and it was carried out. */
function ran({ spans, outcome }: ToolCall): boolean {
  return spans.length > 0 && !['unknown', 'denied', 'notRun'].includes(outcome);
}

/** The same call again, a moment after it ended, under ids of its own. */
function secondCall({ spans, callId }: ToolCall): Span[] {
  const ids = new Map(spans.map(({ spanId }, i) => [spanId, `dead1000000000${String(i).padStart(2, '0')}`]));
  const end = spans.reduce((most, { endUnixNano = 0n }) => (endUnixNano > most ? endUnixNano : most), 0n);
  const start = spans.reduce((least, { startUnixNano }) => (startUnixNano < least ? startUnixNano : least), end);
  const later = end - start + 1_000n;
  return spans.map((span) => ({
    ...(callId === null ? span : renamed(span, callId, `${callId}_again`)),
    spanId: ids.get(span.spanId) ?? span.spanId,
    parentSpanId: ids.get(span.parentSpanId ?? '') ?? span.parentSpanId,
    startUnixNano: span.startUnixNano + later,
    endUnixNano: (span.endUnixNano ?? end) + later,
  }));
}

/** Every text that holds one name holds the other. */
function renamed(span: Span, from: string, to: string): Span {
  const attributes = new Map([...span.attributes].map(([key, value]) => [key, inText(value, from, to)]));
  return { ...span, name: span.name.replaceAll(from, to), attributes };
}

function inText(value: AttributeValue, from: string, to: string): AttributeValue {
  if (typeof value === 'string') return value.replaceAll(from, to);
  if (Array.isArray(value)) return value.map((member) => inText(member, from, to));
  if (value instanceof Map) {
    return new Map([...(value as AttributeMap)].map(([key, member]) => [key, inText(member, from, to)]));
  }
  return value;
}

function withAttributes(span: Span, more: readonly [string, AttributeValue][]): Span {
  return { ...span, attributes: new Map([...span.attributes, ...more]) };
}
