import type { FoundCause, RecoveryCause } from '../../faults/economics/recovery-causes.ts';
import { displayName } from '../../trace/display-name.ts';
import { textTable } from '../show/text-table.ts';
import type { ToolDifference } from './version-difference.ts';

/** Versions of each tool as people compare them: numbers, then what the traces say is behind them. */
export function versionDifferenceText(tools: readonly ToolDifference[], columns: number): string {
  return `${tools.map((each) => toolLines(each, columns).join('\n')).join('\n\n')}\n`;
}

function toolLines({ tool, versions, steps }: ToolDifference, columns: number): string[] {
  const rows = versions.map((each) => [
    each.version,
    `${each.failingRuns} of ${each.runs}`,
    each.failingRuns === 0
      ? '–'
      : `${percent(each.neverRecoveredRate)} (${percent(each.lower)}–${percent(each.upper)})`,
    tokensText(each),
    each.failingRuns === 0 ? '–' : each.medianAttempts,
    each.failingRuns === 0 ? '–' : each.p95Attempts,
  ]);
  const heading = ['version', 'failing runs', 'never recovered', 'tokens, median', 'attempts, median', 'p95'];
  return [
    displayName(tool),
    ...textTable(heading, rows, { columns, cut: 0 }).map((line) => `  ${line}`),
    ...steps.flatMap(({ from, to, tokensChange, p, causes }) => {
      const tokens = tokensChange === null ? 'tokens not comparable' : `tokens ${signedPercent(tokensChange)}`;
      return [
        `  ${from} → ${to}: ${tokens}; never recovered p = ${p.toFixed(4)}`,
        ...causes.map((cause) => `    ${causeText(cause)}`),
      ];
    }),
  ];
}

/** How many tell their tokens is said where it is not all of them. */
function tokensText({ medianTokens, tokensTold, failingRuns }: ToolDifference['versions'][number]): string {
  if (failingRuns === 0) return '–';
  if (tokensTold === 0) return 'unknown';
  return tokensTold === failingRuns ? medianTokens : `${medianTokens} (of ${tokensTold})`;
}

const causes: Readonly<Record<RecoveryCause, string>> = {
  extra_read_before_correcting: 'calls of other tools before the next try',
  terminal_failure_repeated: 'failures repeated with the same arguments',
  longer_preamble: 'output tokens in as many attempts',
};

function causeText({ cause, before, after }: FoundCause): string {
  return `${cause}: ${causes[cause]}, ${shown(before)} → ${shown(after)} in the mean`;
}

function shown(value: number): string {
  return String(Number(value.toFixed(2)));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function signedPercent(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded < 0 ? '−' : '+'}${Math.abs(rounded)} %`;
}
