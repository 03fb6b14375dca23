import type { SpanState } from './segment.ts';

/**
 * What is known of a span stands on the span itself, under a symbol that nobody else holds: nothing to evict, nothing
 * to leak when a span never ends, and it is still found through a copy that was made with the span as prototype, by a
 * spread or by a Proxy. A WeakMap finds none of these and costs three quarters of a microsecond more a span, a seventh
 * of all that the SDK does for it (measured). One symbol for all processors of the process, whose states hang together
 * as a list: with one for each, no access could be compiled for any.
 */
const stateKey = Symbol('otel-eval.span-state');

interface Carrier {
  [stateKey]?: SpanState;
}

/** Spans that let nothing be written: frozen, or a Proxy that refuses. */
const refused = new WeakMap<object, SpanState>();
let isAnyRefused = false;

/** The state that the processor `owner` remembered for this span. */
export function rememberedState(span: object, owner: object): SpanState | undefined {
  let state = newestState(span);
  while (state !== undefined && state.segment.owner !== owner) state = state.before;
  return state;
}

/** What the first of all processors remembered for this span: the app's own, where another one joined later. */
export function oldestState(span: object): SpanState | undefined {
  let state = newestState(span);
  while (state?.before !== undefined) state = state.before;
  return state;
}

export function rememberState(span: object, state: SpanState): void {
  state.before = newestState(span);
  try {
    (span as Carrier)[stateKey] = state;
  } catch {
    refused.set(span, state);
    isAnyRefused = true;
  }
}

function newestState(span: object): SpanState | undefined {
  return (span as Carrier)[stateKey] ?? (isAnyRefused ? refused.get(span) : undefined);
}
