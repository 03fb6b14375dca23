import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Context } from './context.ts';

/** True where a person at their own terminal asks for content; asking anywhere else is refused. */
export function wantsContent(options: Readonly<Record<string, unknown>>, { stdoutIsTerminal }: Context): boolean {
  if (options['showContent'] !== true) return false;
  if (stdoutIsTerminal && options['json'] !== true) return true;
  throw new OtelEvalError('OTEL_EVAL_USAGE', '--show-content prints content to a terminal only, and stdout is none', {
    hint: 'run it without a pipe, redirection or --json',
  });
}
