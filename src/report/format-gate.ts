import type { GateResult } from '../suite/gate/gate.ts';
import type { GateDecision, GateFinding } from '../suite/gate/gate-verdict.ts';
import { colours, noColours, type Palette } from './palette.ts';
import { visibleText } from './visible-text.ts';

export interface FormatGateOptions {
  /** Default `false`. */
  readonly colour?: boolean;
  /** Only what did not pass, and the decision. Default `false`. */
  readonly quiet?: boolean;
}

/** What a gate said, as people read it. The last line is the decision. */
export function formatGate({ decision, findings }: GateResult, options: FormatGateOptions = {}): string {
  const palette = options.colour === true ? colours : noColours;
  const shown = options.quiet === true ? findings.filter((finding) => finding.decision !== 'PASS') : findings;
  const open = findings.filter((finding) => finding.decision === 'INSUFFICIENT_EVIDENCE').length;
  const failed = findings.filter((finding) => finding.decision === 'FAIL').length;
  const counts = `${findings.length} rules, ${failed} failed, ${open} without enough evidence`;
  return `${[...shown.flatMap((finding) => findingLines(finding, palette)), `${mark(decision, palette)} ${palette.strong(decision)}: ${counts}`].join('\n')}\n`;
}

function findingLines({ rule, subject, decision, message, p, furtherRuns }: GateFinding, palette: Palette): string[] {
  const about = subject === null ? '' : `  ${visibleText(subject)}`;
  const value = p === undefined ? '' : palette.dim(`  p = ${p}`);
  const more = furtherRuns === undefined ? [] : [`      ${furtherRuns} more runs could decide it`];
  return [`${mark(decision, palette)} ${rule}${about}${value}`, `      ${visibleText(message)}`, ...more];
}

function mark(decision: GateDecision, palette: Palette): string {
  if (decision === 'PASS') return palette.good('✓');
  return decision === 'FAIL' ? palette.bad('✗') : palette.unsure('?');
}
