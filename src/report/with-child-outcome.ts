import { combinedStatus, type TrialStatus } from '../suite/trial/trial-status.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { Report, ReportError } from './report.ts';

/** How a command under test ended. */
export interface ChildOutcome {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  /** Why that is no success. */
  readonly failure: ReportError | undefined;
}

/** A report with how the command under test ended: one that failed is an error, but a failed assertion still wins. */
export function withChildOutcome(report: Report, { exitCode, failure }: ChildOutcome): Report {
  const withCode = { ...report, childExitCode: exitCode };
  if (failure === undefined) return withCode;
  const status = combinedStatus([report.status as TrialStatus, 'error']);
  return {
    ...withCode,
    status,
    exitCode: exitCodeOf(status),
    error: { code: failure.code, message: failure.message },
  };
}
