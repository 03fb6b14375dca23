import { OtelEvalError, type OtelEvalErrorOptions } from '../../src/trace/otel-eval-error.ts';

/**
 * Our own deadline came while a first try was under way: nothing speaks against the server. Where it had answered the same
 * question before, that answer stands; where it never had, it counts as unavailable.
 */
export class OutOfTime extends OtelEvalError {
  constructor(message: string, options: OtelEvalErrorOptions) {
    super('OTEL_EVAL_UNAVAILABLE', message, options);
  }
}
