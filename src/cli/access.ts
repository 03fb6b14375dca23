import type { Command } from 'commander';
import { type AccessAnswers, proveAccess } from '../../collectors/access/prove-access.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { type AccessFault, accessFaults } from '../verdict/access-proof.ts';
import { accessJson, accessText } from './access/access-text.ts';
import type { CommandModule, Invocation } from './command.ts';
import { loadConfig } from './config-file.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { duration, oneOf } from './option-table.ts';
import { remoteConnection, withoutGaps } from './remote-settings.ts';
import { describeServer } from './remote-source-options.ts';
import { describeOutput } from './source-options.ts';
import { sourceSettings } from './source-settings.ts';

export const accessCommand: CommandModule = {
  describe(command: Command): void {
    oneOf(command, '--trace-source <kind>', { words: ['tempo', 'jaeger'], description: 'server (default: tempo)' });
    command.option('--trace-id <id>', 'a trace that was captured');
    describeServer(command);
    duration(command, '--deadline <duration>', 'give up asking after this long (default: 30s)');
    command
      .option('--config <file>', 'configuration (default: otel-eval.config.ts, .js, .yaml or .json, found upwards)')
      .option('--json', 'the result as JSON, for "otel-eval check --access FILE"');
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Asks for one captured trace twice over HTTP: with your credentials, and without any. Access is controlled where the first
request gets that very trace and the second one is refused (401, 403, a redirect or a page on which to sign in).

Examples:
  otel-eval access --trace-id 5b8efff798038103d269b633813fc60c --url http://tempo:3200
  otel-eval access --trace-id ID --url https://grafana.example/api/datasources/proxy/uid/UID --json > access.json
  otel-eval check suite.yaml --access access.json      judged by TracePrivacyModes; or "traces: { access: access.json }"

Exit codes: 0 controlled, 1 not controlled, 2 wrong usage or server, 3 no server answered.`,
    );
  },

  async run({ options }: Invocation, context: Context): Promise<ExitCode> {
    const answers = await answersOf(options, context);
    const faults = accessFaults(answers);
    await context.write(options['json'] === true ? accessJson(answers, faults) : accessText(answers, faults));
    return exitCode(faults);
  },
};

async function answersOf(options: Invocation['options'], context: Context): Promise<AccessAnswers> {
  const config = await loadConfig(options['config'] as string | undefined, context.cwd);
  const kind = options['traceSource'] === 'jaeger' ? 'jaeger' : 'tempo';
  const given = { ...options, traceSource: kind };
  const { remote, traceIds, deadlineMs } = sourceSettings({ options: given, config }, context);
  const [traceId, ...others] = traceIds;
  if (remote === undefined || traceId === undefined || others.length > 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected one trace, got ${traceIds.length}`, {
      source: '--trace-id',
      hint: 'give the id of a trace that is surely there, as "otel-eval show" prints it',
    });
  }
  const { url, token, user, tenant, headers, ca, environment } = await remoteConnection(remote, context);
  const credentials = withoutGaps({ token, user, tenant, headers, ca, environment, deadlineMs });
  return await proveAccess({ kind, url, traceId, ...credentials });
}

function exitCode(faults: readonly AccessFault[] | undefined): ExitCode {
  if (faults === undefined) return 3;
  return faults.length === 0 ? 0 : 1;
}
