import { diag } from '@opentelemetry/api';

export type Mode = 'metadata' | 'content';

/** The environment variable that OpenTelemetry has for this; the second of the two keys to content mode. */
export const captureVariable = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
const on: ReadonlySet<string> = new Set(['true', '1', 'span_only', 'span_and_event']);

/**
 * Content mode needs both keys: the option and the environment variable. Where they disagree it is metadata mode, and
 * the SDK's diagnostic logger says so once.
 *
 * @example
 * modeOf('content', {}); // 'metadata'
 */
export function modeOf(option: Mode | undefined, environment: Readonly<Record<string, string | undefined>>): Mode {
  if (option !== 'content') return 'metadata';
  if (on.has((environment[captureVariable] ?? '').trim().toLowerCase())) return 'content';
  diag.warn(`otel-eval: content mode is off: it also needs ${captureVariable}=true in the environment`);
  return 'metadata';
}
