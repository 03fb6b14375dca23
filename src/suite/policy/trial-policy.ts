/** What the trials of a scenario must show together. */
export type TrialPolicy =
  /** Every planned trial passes. */
  | { readonly kind: 'all' }
  /** At least so many of the planned trials pass. */
  | { readonly kind: 'passes'; readonly passes: number }
  /** The pass rate is shown to be at least `minimum`: the exact one-sided lower bound reaches it. */
  | { readonly kind: 'rate'; readonly minimum: number; readonly confidence: number }
  /** The unbiased estimate of "k runs all pass" is at least `minimum`. */
  | { readonly kind: 'passHatK'; readonly k: number; readonly minimum: number };

/** The policy in a few words, for reports: `2 of 3`, `rate at least 0.85 (95 % confidence)`. */
export function policyText(policy: TrialPolicy, planned: number): string {
  switch (policy.kind) {
    case 'all':
      return `all of ${planned}`;
    case 'passes':
      return `${policy.passes} of ${planned}`;
    case 'rate':
      return `rate at least ${policy.minimum} (${round(policy.confidence * 100)} % confidence)`;
    case 'passHatK':
      return `pass^${policy.k} at least ${policy.minimum}`;
  }
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
