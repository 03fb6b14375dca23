import type { Span } from '../trace/span.ts';
import type { Dialect } from './dialect.ts';
import { recordsOf } from './dialects/log-messages.ts';
import type { Layer } from './layer.ts';
import type { Evidence } from './run.ts';

/** What status, error.type and exception events of a span say, control flow set apart. */
export interface SpanMarks {
  readonly failed: readonly Evidence[];
  /** An exception that steers: an interrupt, a handoff, an approval that is waited for. */
  readonly steered: boolean;
}

/** The one answer for every span that shows none. */
export const noMarks: SpanMarks = { failed: [], steered: false };

/** Framework exceptions that steer, by their full names. A user's own error that merely ends in the same word is an error. */
const steering =
  /^(langgraph\.errors\.(GraphInterrupt|NodeInterrupt|GraphBubbleUp|ParentCommand)|pydantic_ai\.exceptions\.(ApprovalRequired|CallDeferred)|langgraph\.types\.\w*Interrupt)$/;

export function marksOf(span: Span, dialect?: Dialect): SpanMarks {
  const errorType = span.attributes.get('error.type');
  const typed = typeof errorType === 'string' && errorType !== '';
  if (span.status.code !== 'error' && span.events.length === 0 && !typed) return noMarks;
  const exceptions = span.events
    .filter(({ name }) => name === 'exception')
    .map(({ attributes }) => attributes.get('exception.type'));
  if (span.status.code !== 'error' && exceptions.length === 0 && !typed) return noMarks;
  const names = exceptions.length > 0 ? exceptions : typed ? [errorType] : [];
  if (names.length > 0 && names.every((name) => steers(name, dialect))) return { failed: [], steered: true };
  const failed: Evidence[] = [];
  if (span.status.code === 'error') failed.push('status');
  if (typed) failed.push('error.type');
  if (exceptions.length > 0) failed.push('exception');
  return { failed, steered: false };
}

const exceptionRecord = /^gen_ai\.[\w.]*exception$/;

/** v1.41 and later: the exception of an operation as a log record of its span. */
export function loggedException({ span, trace, dialect }: Layer): boolean {
  if (trace.logs.length === 0) return false;
  return recordsOf(trace, span.spanId).some(
    ({ eventName, attributes }) =>
      exceptionRecord.test(eventName) && !steers(attributes.get('exception.type'), dialect),
  );
}

function steers(name: unknown, dialect: Dialect | undefined): boolean {
  return typeof name === 'string' && (steering.test(name) || dialect?.controlFlow?.test(name) === true);
}
