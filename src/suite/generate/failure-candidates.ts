import type { Run } from '../../agent/run.ts';
import type { Candidate } from './candidate.ts';
import { spanCount } from './observed-count.ts';

/** As many spans bear a mark of failure as did: in a run that went well, none. */
export function failureCandidates(runs: readonly Run[]): Candidate[] {
  const marks = [
    { status: 'error' },
    { attributes: { 'error.type': { exists: true } } },
    { event: 'exception' },
  ] as const;
  return [spanCount(runs, { any: marks })];
}
