import type { Status } from './report.ts';

/** Exit codes of the command line (design §6). */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

const codes: Readonly<Record<Status, ExitCode>> = {
  passed: 0,
  failed: 1,
  error: 2,
  unavailable: 3,
  inconclusive: 4,
  // What does not apply shows nothing.
  notApplicable: 4,
};

export function exitCodeOf(status: Status): ExitCode {
  return codes[status];
}
