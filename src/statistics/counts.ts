/** Throws a `RangeError` unless 0 ≤ successes ≤ trials, both whole: a wrong count must not become a wrong bound. */
export function requireCounts(successes: number, trials: number): void {
  if (!Number.isSafeInteger(successes) || !Number.isSafeInteger(trials) || successes < 0 || successes > trials) {
    throw new RangeError(`expected whole numbers 0 ≤ successes ≤ trials, got ${successes} of ${trials}`);
  }
}

/** Throws a `RangeError` unless the number lies strictly between 0 and 1. `name` stands in the message. */
export function requireShare(name: string, share: number): void {
  if (!(share > 0 && share < 1)) throw new RangeError(`expected ${name} between 0 and 1, got ${share}`);
}
