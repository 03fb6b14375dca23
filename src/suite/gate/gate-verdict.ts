/** What a gate says. Only `PASS` lets a release through. */
export type GateDecision = 'PASS' | 'FAIL' | 'INSUFFICIENT_EVIDENCE';

/** One rule and what it came to. */
export interface GateFinding {
  /** As `packs`, `policies`, `regression`, `non-inferiority`, `budget`. */
  readonly rule: string;
  /** Scenario, pack or measure; `null` for the whole suite. */
  readonly subject: string | null;
  readonly decision: GateDecision;
  /** One sentence: expected, got. */
  readonly message: string;
  /** Of a statistical rule, adjusted for the others (Holm). */
  readonly p?: number;
  /** Further runs that would decide, where that is known. */
  readonly furtherRuns?: number;
}

export function combinedDecision(findings: readonly GateFinding[]): GateDecision {
  if (findings.some(({ decision }) => decision === 'FAIL')) return 'FAIL';
  const pass = findings.length > 0 && findings.every(({ decision }) => decision === 'PASS');
  return pass ? 'PASS' : 'INSUFFICIENT_EVIDENCE';
}
