import { type Command, InvalidArgumentError, Option } from 'commander';
import { collectors } from '../../collectors/index.ts';
import type { CommandModule, Invocation } from './command.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import { describeOutput } from './source-options.ts';

interface Listen {
  readonly host: string;
  readonly port: number;
}

const defaultOut = 'traces.otlp.jsonl';

export const receiveCommand: CommandModule = {
  describe(command: Command): void {
    command
      .addOption(
        new Option('--listen <host:port>', 'where to listen; port 0 takes any free one')
          .argParser(listenAddress)
          .default({ host: '127.0.0.1', port: 4318 }, '127.0.0.1:4318'),
      )
      .option('--out <file>', 'file that what is received is appended to, as JSON lines', defaultOut);
    describeOutput(command);
    command.addHelpText(
      'after',
      `
Examples:
  otel-eval receive                                        until Ctrl-C; then: otel-eval show --input ${defaultOut}
  otel-eval receive --listen 127.0.0.1:0 --out run.jsonl   the chosen address is the first line on stdout
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node agent.mjs

What was acknowledged is on the disk. Only this machine can reach 127.0.0.1; there is no authentication.`,
    );
  },

  async run({ options }: Invocation, context: Context): Promise<ExitCode> {
    const { host, port } = options['listen'] as Listen;
    const out = options['out'] as string;
    const otlpReceiverCollector = await collectors.otlp();
    const receiver = await otlpReceiverCollector({ host, port, out });
    try {
      await context.write(`${addressText(receiver)}\n`);
      const quiet = options['quiet'] === true;
      if (!quiet) context.note(`receiving into ${out}; OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}; Ctrl-C ends`);
      await context.untilStopped();
      await receiver.stop();
      const { spans, logs, metrics, rejected } = receiver.received();
      const unread = rejected === 0 ? '' : `, ${rejected} rows could not be read`;
      const others = `${logs} log records, ${metrics} requests with metrics (not kept)`;
      if (!quiet) context.note(`received ${spans} spans, ${others}${unread}`);
      return 0;
    } finally {
      await receiver.close();
    }
  },
};

/** `127.0.0.1:4318`, `[::1]:4318`: what `--listen` takes. */
function addressText({ host, port }: Listen): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenAddress(text: string): Listen {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(digits) > 65_535) {
    throw new InvalidArgumentError('expected HOST:PORT, as 127.0.0.1:4318');
  }
  return { host, port: Number(digits) };
}
