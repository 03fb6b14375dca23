import { type Attributes, type Context, context, type Span, SpanKind, trace } from '@opentelemetry/api';
import { observed } from './observed-iterable.ts';
import { SpanEnding } from './span-ending.ts';

/** How a helper's span looks at its start. */
export interface SpanStart {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  /** Default the active one. */
  readonly parent?: Context;
}

/**
 * Runs the function in a span and hands back just what it gave: a value, a promise or an async iterable, whose span
 * ends when it has been read. What it throws is thrown on; the span gets `error.type` and no message, since messages
 * quote content. `succeeded` sees the result; a failure of it is nobody's concern.
 */
export function inSpan<Result>(
  start: SpanStart,
  run: (span: Span) => Result,
  succeeded: (span: Span, result: unknown) => void = () => {},
): Result {
  const parent = start.parent ?? context.active();
  const kind = start.kind ?? SpanKind.INTERNAL;
  const span = trace.getTracer('otel-eval').startSpan(start.name, { kind, attributes: start.attributes }, parent);
  const inside = trace.setSpan(parent, span);
  const end = new SpanEnding(span, succeeded);
  let result: Result;
  try {
    result = context.with(inside, run, undefined, span);
  } catch (error) {
    end.failed(error);
    throw error;
  }
  return handedBack(result, inside, end);
}

function handedBack<Result>(result: Result, inside: Context, end: SpanEnding): Result {
  if (result instanceof Promise && result.constructor === Promise) {
    return result.then(
      (value) => handedBack(value, inside, end),
      (error: unknown) => {
        end.failed(error);
        throw error;
      },
    ) as Result;
  }
  if (isThenable(result)) {
    // A promise of a library has methods of its own, so it is handed back as it is and only listened to.
    result.then(
      (value) => end.done(value),
      (error) => end.failed(error),
    );
    return result;
  }
  if (isAsyncIterable(result)) return observed(result, inside, end);
  end.done(result);
  return result;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return hasMethod(value, 'then');
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> & object {
  return hasMethod(value, Symbol.asyncIterator);
}

function hasMethod(value: unknown, name: string | symbol): boolean {
  try {
    return (
      typeof value === 'object' &&
      value !== null &&
      typeof (value as Record<string | symbol, unknown>)[name] === 'function'
    );
  } catch {
    return false;
  }
}
