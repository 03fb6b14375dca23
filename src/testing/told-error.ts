import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { inOptionWords } from './option-words.ts';

/** An error as a runner shows it, which prints the message and nothing else: with what to do, in the words of tests. */
export function toldError(error: unknown): unknown {
  if (!OtelEvalError.is(error) || error.hint === undefined) return error;
  const { code, message, hint, place, cause } = error;
  return new OtelEvalError(code, `${inOptionWords(message)}; ${inOptionWords(hint)}`, {
    ...place,
    ...(cause === undefined ? {} : { cause }),
  });
}
