/** What one trial came to. Only `passed` is a pass. */
export type TrialStatus = 'passed' | 'failed' | 'inconclusive' | 'error' | 'unavailable';

/** The first that occurs wins: a failure is settled evidence that no rerun removes. */
export const statusPrecedence: readonly TrialStatus[] = ['failed', 'error', 'unavailable', 'inconclusive', 'passed'];

/** Of several statuses the one that counts; `inconclusive` for none at all: nothing was examined. */
export function combinedStatus(statuses: Iterable<TrialStatus>): TrialStatus {
  const seen = new Set(statuses);
  return statusPrecedence.find((status) => seen.has(status)) ?? 'inconclusive';
}
