import type { Attributes } from '@opentelemetry/api';

// On the global object, so that two copies of the package in one process share it.
const slot = Symbol.for('otel-eval.content-beside');
const shared = globalThis as {
  [key: symbol]: { used: boolean; readers: number; readonly bySpan: WeakMap<object, Attributes> } | undefined;
};
shared[slot] ??= { used: false, readers: 0, bySpan: new WeakMap() };
const store = shared[slot];

/**
 * Content that a helper recorded for a span. It is kept beside the span and not on it, so that only our processor, in
 * content mode, can send it anywhere: other processors of the app never see it.
 */
export function contentBeside(span: object): Attributes | undefined {
  return store.used ? store.bySpan.get(span) : undefined;
}

/** The attributes of a span with the content beside it; not a copy where there is none. */
export function withContentBeside(span: { readonly attributes: Attributes }): Attributes {
  const beside = contentBeside(span);
  return beside === undefined ? span.attributes : { ...span.attributes, ...beside };
}

/** A processor that reads what stands beside spans was made. Without one nothing is kept. */
export function readContentBeside(): void {
  store.readers++;
}

/** True where it is worth putting content together. */
export function isContentRead(): boolean {
  return store.readers > 0;
}

/** Adds content to what stands beside the span; of two equal keys the last one counts. */
export function putBeside(span: object, content: Attributes): void {
  if (store.readers === 0) return;
  store.used = true;
  store.bySpan.set(span, { ...store.bySpan.get(span), ...content });
}
