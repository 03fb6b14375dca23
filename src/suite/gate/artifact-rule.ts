import type { Artifact } from './gate-report.ts';
import type { GateFinding } from './gate-verdict.ts';

/** What is released must be, to the byte, what was tested. */
export function artifactFinding(tested: Artifact | null, toRelease: Artifact): GateFinding {
  const finding = { rule: 'artifact', subject: toRelease.name };
  if (tested === null) {
    const message = 'the report does not say what was tested; run the suite with --artifact';
    return { ...finding, decision: 'INSUFFICIENT_EVIDENCE', message };
  }
  if (tested.sha256 === toRelease.sha256)
    return { ...finding, decision: 'PASS', message: `sha256 ${tested.sha256}, as tested` };
  const message = `expected sha256 ${tested.sha256}, which was tested, got ${toRelease.sha256}`;
  return { ...finding, decision: 'FAIL', message };
}
