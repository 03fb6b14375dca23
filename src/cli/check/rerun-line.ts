import type { JudgedTrial } from '../../suite/judge/judge.ts';
import { shellWord } from '../shell-word.ts';
import type { SourceSettings } from '../source-settings.ts';

export interface RerunGivens {
  readonly suitePath: string | undefined;
  readonly asserts: readonly string[];
  readonly settings: SourceSettings;
}

/** The command line that judges the run of one trial again, ready to be pasted into a shell. */
export function rerunLine(
  { suitePath, asserts, settings }: RerunGivens,
  { scenario, view }: JudgedTrial,
): string | null {
  if (settings.inputs.includes('-') || settings.kind === 'memory') return null;
  const traceIds = view.traces.map(({ trace }) => trace.traceId);
  const words = [
    'otel-eval',
    'check',
    ...(suitePath === undefined ? [] : [suitePath, '--scenario', scenario.name]),
    ...(settings.kind === 'file' ? [] : ['--trace-source', settings.kind]),
    ...(settings.remote === undefined ? [] : ['--url', settings.remote.url]),
    ...(settings.remote?.tenant === undefined ? [] : ['--tenant', settings.remote.tenant]),
    ...settings.inputs.flatMap((input) => ['--input', input]),
    ...(suitePath === undefined ? asserts.flatMap((text) => ['--assert', text]) : []),
    ...(traceIds.length > 3 ? [] : traceIds.flatMap((id) => ['--trace-id', id])),
    ...(settings.oneRun ? ['--one-run'] : []),
    ...(settings.accepted === 'settled' ? ['--completeness', 'settled'] : []),
  ];
  return words.map(shellWord).join(' ');
}
