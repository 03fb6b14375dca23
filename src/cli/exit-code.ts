import type { ErrorCode } from '../trace/otel-eval-error.ts';

/** Design §6: all passed, something failed, error, unavailable, inconclusive. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** Everything that kept us from looking is 2, but for a server that was down (3). */
export function exitCodeOfError(code: ErrorCode): ExitCode {
  return code === 'OTEL_EVAL_UNAVAILABLE' ? 3 : 2;
}
