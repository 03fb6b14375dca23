import type { Attributes } from '@opentelemetry/api';

// On the global object, so that two copies of the package in one process share it.
const slot = Symbol.for('otel-eval.content-beside');
const registry = globalThis as { [key: symbol]: WeakMap<object, Attributes> | undefined };

/**
 * Content that a helper recorded for a span. It is kept beside the span and not on it, so that only our processor, in
 * content mode, can send it anywhere: other processors of the app never see it.
 */
export function contentBeside(span: object): Attributes | undefined {
  return registry[slot]?.get(span);
}

/** Adds content to what stands beside the span; of two equal keys the last one counts. */
export function putBeside(span: object, content: Attributes): void {
  registry[slot] ??= new WeakMap();
  registry[slot].set(span, { ...registry[slot].get(span), ...content });
}
