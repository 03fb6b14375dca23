import type { Run, ToolCall } from '../../agent/run.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';
import type { View } from '../../verdict/assertion.ts';
import { type FaultEvent, type FaultEvents, numberIn, wordIn } from './fault-events.ts';

/** A call that the model asked for, with its number where the injector counted it. */
export interface VisibleCall {
  readonly call: ToolCall;
  /** From 1; `null` where no receipt tells. */
  readonly ordinal: number | null;
  readonly virtualTimeMs: number | null;
}

/** Calls that ran, in the order in which they began; further tries of a client or framework are not the model's. */
export function visibleCalls({ run }: View, events: FaultEvents): readonly VisibleCall[] {
  const ran = run.toolCalls.filter(({ outcome }) => outcome !== 'denied' && outcome !== 'notRun');
  const told = new Map<ToolCall, FaultEvent>();
  const ofClient = new Set<ToolCall>();
  for (const event of events.get('evidence.call') ?? []) {
    const call = callOf(event, ran, run, told);
    if (call === undefined) continue;
    if (wordIn(event, 'kind') === 'client') ofClient.add(call);
    else told.set(call, event);
  }
  const calls = ran
    .filter((call) => told.has(call) || !ofClient.has(call))
    .map((call): VisibleCall => {
      const event = told.get(call);
      if (event === undefined) return { call, ordinal: null, virtualTimeMs: null };
      return { call, ordinal: numberIn(event, 'calls'), virtualTimeMs: numberIn(event, 'virtual_time_ms') };
    });
  return calls.every(({ ordinal }) => ordinal !== null)
    ? calls.toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0))
    : calls.toSorted((a, b) => startOrder(a.call, b.call));
}

/** The call that an event is about: by its span or one above it, by the id of the request, by name in order. */
export function callOf(
  event: FaultEvent,
  calls: readonly ToolCall[],
  run: Run,
  taken: ReadonlyMap<ToolCall, FaultEvent>,
): ToolCall | undefined {
  const id = wordIn(event, 'gen_ai.tool.call.id');
  const byId = id === null ? [] : calls.filter(({ callId }) => callId === id);
  if (byId.length === 1) return byId[0];
  for (const span of upwards(event.span, run)) {
    const here = calls.find(({ spans }) => spans.includes(span));
    if (here !== undefined) return here;
  }
  const name = wordIn(event, 'gen_ai.tool.name');
  return calls.toSorted(startOrder).find((call) => call.name === name && !taken.has(call));
}

function* upwards(span: Span, run: Run): Generator<Span> {
  const trace = run.traces.find(({ traceId }) => traceId === span.traceId);
  const seen = new Set<string>();
  for (let here: Span | undefined = span; here !== undefined && !seen.has(here.spanId); ) {
    seen.add(here.spanId);
    yield here;
    here = here.parentSpanId === undefined ? undefined : trace?.spansById.get(here.parentSpanId);
  }
}

/** By the order in which one processor saw them start, which is finer than a clock of milliseconds; else by time. */
export function startOrder(a: { readonly spans: readonly Span[] }, b: { readonly spans: readonly Span[] }): number {
  const [first] = a.spans;
  const [second] = b.spans;
  if (first === undefined || second === undefined) return 0;
  const one = first.attributes;
  const other = second.attributes;
  if (one.has(ownAttributes.segment) && one.get(ownAttributes.segment) === other.get(ownAttributes.segment)) {
    return Number(one.get(ownAttributes.eventIndex)) - Number(other.get(ownAttributes.eventIndex));
  }
  return first.startUnixNano < second.startUnixNano ? -1 : first.startUnixNano > second.startUnixNano ? 1 : 0;
}
