import type { Deadline } from './deadline.ts';

/** What ends the asking. */
export interface Until {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}
