import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { describeOutput } from './source-options.ts';
import { isLoopback } from './view/loopback.ts';
import { ViewServer } from './view/view-server.ts';
import { viewedPaths } from './view/viewed-paths.ts';

interface Listen {
  readonly host: string;
  readonly port: number;
}

export const viewCommand: CommandModule = {
  describe(command: Command): void {
    command
      .argument('<path...>', 'reports (HTML or JSON), trace files, or folders of them')
      .addOption(
        new Option('--listen <host:port>', 'where to listen, on this machine only; port 0 takes any free one')
          .argParser(listenAddress)
          .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
      );
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval view report.json                 in a browser, loaded anew whenever the file changes
  otel-eval view traces.otlp.jsonl           traces as waterfalls, without a suite
  otel-eval view reports/ --listen 127.0.0.1:8080

The address is the first line on stdout. Only this machine can reach it; Ctrl-C ends.`,
    );
  },

  async run({ args, options }: Invocation, context: Context): Promise<ExitCode> {
    const { host, port } = options['listen'] as Listen;
    const list = (): Promise<string[]> => viewedPaths(args, context.cwd);
    const server = await ViewServer.listen({ host, port, cwd: context.cwd, list, first: await list() });
    try {
      await context.write(`${server.url}\n`);
      if (options['quiet'] !== true) context.note('Ctrl-C ends');
      await context.untilStopped();
      return 0;
    } finally {
      await server.close();
    }
  },
};

function listenAddress(text: string): Listen {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(digits) > 65_535) {
    throw new InvalidArgumentError('expected HOST:PORT, as 127.0.0.1:8080');
  }
  if (!isLoopback(host)) throw new InvalidArgumentError('expected an address of this machine only, as 127.0.0.1:8080');
  return { host, port: Number(digits) };
}
