import type { Command } from 'commander';
import { visibleText } from '../report/visible-text.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { Cause } from './doctor/cause.ts';
import { environmentCauses } from './doctor/environment-causes.ts';
import { exporterCauses } from './doctor/exporter-cause.ts';
import { installedPackages } from './doctor/installed-packages.ts';
import { packageCauses } from './doctor/package-causes.ts';
import { probeCauses } from './doctor/probe-causes.ts';
import { runProbed } from './doctor/run-probed.ts';
import type { ExitCode } from './exit-code.ts';
import { describeOutput } from './source-options.ts';

export const doctorCommand: CommandModule = {
  describe(command: Command): void {
    command.option('--json', 'the causes as JSON');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Looks at the environment, the installed packages and the exporter's address of the project in this folder. With a
command behind -- it also runs the app and looks at its provider when the app ends.

Examples:
  otel-eval doctor                       why are there no spans?
  otel-eval doctor -- node app.js        likewise, and what the app itself shows

Exit codes: 0 no cause found, 1 found, 2 the command could not be started.`,
    );
  },

  async run({ options, childCommand }: Invocation, context: Context): Promise<ExitCode> {
    const causes = await causesIn(childCommand, context);
    await context.write(options['json'] === true ? json(causes) : text(causes, childCommand.length > 0));
    return causes.length === 0 ? 0 : 1;
  },
};

/** The surest first; the same for equal projects. */
async function causesIn(command: readonly string[], context: Context): Promise<readonly Cause[]> {
  const installed = await installedPackages(context.cwd);
  const names = new Set(installed.map(({ name }) => name));
  const probed = command.length === 0 ? undefined : await runProbed(command, context);
  const sees = (probed?.spans?.exported ?? 0) + (probed?.spans?.requests ?? 0) > 0;
  // Spans that were seen to leave are proof that no variable kept them.
  const environment = sees ? [] : environmentCauses(context.env, names);
  const all = [
    ...(probed === undefined ? [] : probeCauses(probed)),
    ...environment,
    ...packageCauses(installed),
    ...(await exporterCauses(context.env)),
  ];
  return all.sort((a, b) => a.rank - b.rank);
}

function text(causes: readonly Cause[], ranApp: boolean): string {
  if (causes.length === 0) {
    const more = ranApp ? '' : '; run the app behind -- to look at its provider too';
    return `no cause found${more}\n`;
  }
  return causes
    .map(({ found, remedy }, i) => `${visibleText(`${i + 1}. ${found}`)}\n   ${visibleText(remedy)}\n`)
    .join('');
}

function json(causes: readonly Cause[]): string {
  const listed = causes.map(({ id, found, remedy }) => ({ id, found, remedy }));
  return `${JSON.stringify({ schema: 'otel-eval/doctor/v1', causes: listed }, null, 2)}\n`;
}
