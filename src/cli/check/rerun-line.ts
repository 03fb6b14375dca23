import { serverAddress } from '../../../collectors/http/server-address.ts';
import type { JudgedTrial } from '../../suite/judge/judge.ts';
import { shellWord } from '../shell-word.ts';
import type { SourceSettings } from '../source-settings.ts';

export interface RerunGivens {
  readonly suitePath: string | undefined;
  readonly asserts: readonly string[];
  readonly settings: SourceSettings;
  /** The command under test. */
  readonly command: readonly string[];
}

/** The command line that judges the run of one trial again, ready to be pasted into a shell. */
export function rerunLine(
  { suitePath, asserts, settings, command }: RerunGivens,
  { scenario, view }: JudgedTrial,
): string | null {
  if (settings.inputs.includes('-') || settings.kind === 'memory') return null;
  // The next run of a command has other ids.
  const traceIds = command.length > 0 ? [] : view.traces.map(({ trace }) => trace.traceId);
  const words = [
    'otel-eval',
    'check',
    ...(suitePath === undefined ? [] : [suitePath, '--scenario', scenario.name]),
    ...(settings.kind === 'file' ? [] : ['--trace-source', settings.kind]),
    ...serverWords(settings),
    ...settings.inputs.flatMap((input) => ['--input', input]),
    ...(suitePath === undefined ? asserts.flatMap((text) => ['--assert', text]) : []),
    ...(traceIds.length > 3 ? [] : traceIds.flatMap((id) => ['--trace-id', id])),
    ...settings.instrumented.flatMap((scope) => ['--instrumented', scope]),
    ...settings.access.flatMap((file) => ['--access', file]),
    ...Object.entries(settings.projections).flatMap(([kind, files]) =>
      files.flatMap((file) => ['--projection', `${kind}=${file}`]),
    ),
    ...(settings.oneRun ? ['--one-run'] : []),
    ...(settings.accepted === 'settled' ? ['--completeness', 'settled'] : []),
    ...(command.length > 0 ? ['--', ...command] : []),
  ];
  return words.map(shellWord).join(' ');
}

/** Without what may hold a secret: those come from the environment. */
function serverWords({ remote }: SourceSettings): string[] {
  if (remote === undefined) return [];
  const { url, tenant, user } = remote;
  return [
    '--url',
    serverAddress(url).shown,
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
    ...(user === undefined ? [] : ['--user', user]),
  ];
}
