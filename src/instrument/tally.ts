/** What was done to the values of one span. */
export interface Tally {
  /** Credentials taken out. */
  redacted: number;
  /** Values left out, or cut to their metadata. */
  withheld: number;
  /** Values shortened for the byte ceiling. */
  truncated: number;
}

export function newTally(): Tally {
  return { redacted: 0, withheld: 0, truncated: 0 };
}
