import type { Finding, MissingEvidence, Verdict } from './verdict.ts';

export interface Conclusion {
  /** Spans examined. */
  readonly examined: number;
  readonly findings?: readonly Finding[];
  readonly missing?: readonly MissingEvidence[];
  readonly remarks?: readonly string[];
}

/**
 * The one place where a verdict is made: failed before inconclusive before passed, and never passed on nothing
 * (design §2, law 1).
 */
export function conclude({ examined, findings = [], missing = [], remarks = [] }: Conclusion): Verdict {
  const lacking = examined === 0 && missing.length === 0 && findings.length === 0 ? [nothingExamined] : missing;
  const status = findings.length > 0 ? 'failed' : lacking.length > 0 ? 'inconclusive' : 'passed';
  const remarked = remarks.length < 2 ? remarks : [...new Set(remarks)];
  return { status, examined, findings, missing: distinct(lacking), remarks: remarked };
}

const nothingExamined: MissingEvidence = {
  kind: 'nothing-examined',
  message: 'no span was examined, so nothing is shown',
};

/** Precedence when verdicts combine: failed, then inconclusive, then passed. Of none at all: inconclusive. */
export function worstStatus(statuses: readonly Verdict['status'][]): Verdict['status'] {
  if (statuses.includes('failed')) return 'failed';
  if (statuses.includes('inconclusive') || statuses.length === 0) return 'inconclusive';
  return 'passed';
}

function distinct(missing: readonly MissingEvidence[]): readonly MissingEvidence[] {
  if (missing.length < 2) return missing;
  const byText = new Map(missing.map((item) => [`${item.kind} ${item.message}`, item]));
  return [...byText.values()];
}
