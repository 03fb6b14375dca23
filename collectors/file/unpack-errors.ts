import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

/** `label` begins as `kind` (gzip, zstd) and goes on as something else. */
export function damaged(label: string, kind: string, cause?: unknown): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${label} begins as ${kind} and its data is damaged`, {
    source: label,
    cause,
  });
}

export function cutOff(label: string, kind: string): OtelEvalError {
  return new OtelEvalError(
    'OTEL_EVAL_NOT_A_TRACE',
    `${label} is ${kind} and ends before its data does: it was cut off`,
    {
      source: label,
    },
  );
}

export function tooLarge(label: string, what: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${label} ${what}`, { source: label });
}
