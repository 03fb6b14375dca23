import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { decodeOtlpObject } from '../../trace/otlp-json.ts';
import { logViolations, type PrivacyRules, spanViolations } from '../../trace/privacy/privacy-violations.ts';

/** Reads a copy back, line by line, and refuses it where the privacy check still names anything. */
export function assertKeptOut(text: string, rules: PrivacyRules): void {
  for (const line of text.split('\n').filter(Boolean)) {
    const document = JSON.parse(line) as { readonly trace?: unknown };
    const { spans, logs } = decodeOtlpObject(document.trace ?? document, { source: 'copy' });
    const [first] = [
      ...spans.flatMap((span) => spanViolations(span, rules)),
      ...logs.flatMap((record) => logViolations(record, rules)),
    ];
    if (first === undefined) continue;
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `the copy still holds a ${first.code} (${first.place}): nothing was written`,
      { hint: 'otel-eval scan names every place' },
    );
  }
}
