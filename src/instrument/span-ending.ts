import { type Span, SpanStatusCode } from '@opentelemetry/api';

/** Ends the span once, whatever comes first. */
export class SpanEnding {
  readonly #span: Span;
  readonly #succeeded: (span: Span, result: unknown) => void;

  constructor(span: Span, succeeded: (span: Span, result: unknown) => void) {
    this.#span = span;
    this.#succeeded = succeeded;
  }

  done(result: unknown): void {
    try {
      this.#succeeded(this.#span, result);
    } catch {
      // To record a result must not fail the call that gave it.
    }
    this.#span.end();
  }

  failed(error: unknown): void {
    this.#span.setAttribute('error.type', errorTypeOf(error));
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }

  /** Reading was given up: neither success nor failure. */
  left(): void {
    this.#span.end();
  }
}

function errorTypeOf(error: unknown): string {
  try {
    if (error instanceof Error) {
      const { code } = error as { readonly code?: unknown };
      if (typeof code === 'string' && /^[\w.-]{1,60}$/.test(code)) return code;
      return /^[\w.$-]{1,60}$/.test(error.name) ? error.name : 'Error';
    }
    return typeof error;
  } catch {
    return '_OTHER';
  }
}
