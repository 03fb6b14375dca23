import { inspect } from 'node:util';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

/**
 * What a person reads when we could not look: one sentence and what to do, behind the program's name. A stack is shown
 * on demand only; what was thrown by accident is named by its class, since its text may quote what it choked on.
 */
export function errorText(error: unknown, { debug = false }: { readonly debug?: boolean } = {}): string {
  const text = OtelEvalError.is(error) ? known(error) : unexpected(error);
  return debug ? `${text}\n${inspect(error)}` : text;
}

function known({ message, hint }: OtelEvalError): string {
  return `otel-eval: ${message}${hint === undefined ? '' : `; ${hint}`}`;
}

function unexpected(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return `otel-eval: unexpected ${name}: this is a fault in otel-eval; run again with --debug and report the stack`;
}
