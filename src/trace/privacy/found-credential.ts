/** Where a credential stands in a text, and by which rule it was known. */
export interface FoundCredential {
  /** Kebab-case, as `aws-access-key`. */
  readonly rule: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}
