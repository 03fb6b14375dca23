import type { Finding, MissingEvidence } from '../verdict.ts';

/** What came of comparing; findings by how more spans could change them. */
export interface Judged {
  /** They cannot. */
  readonly violated: readonly Finding[];
  /** They could mend it. */
  readonly whole: readonly Finding[];
  readonly missing: readonly MissingEvidence[];
}

export const nothingJudged: Judged = { violated: [], whole: [], missing: [] };

export function together(parts: readonly Judged[]): Judged {
  return {
    violated: parts.flatMap(({ violated }) => violated),
    whole: parts.flatMap(({ whole }) => whole),
    missing: parts.flatMap(({ missing }) => missing),
  };
}

export function lackingProjection(message: string): MissingEvidence {
  return { kind: 'projection', message };
}
