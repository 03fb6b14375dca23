import type { Command } from 'commander';
import { duration, oneOf, repeatable } from './option-table.ts';
import { describeRemoteSource } from './remote-source-options.ts';

/** Options of every command that reads traces. */
export function describeSource(command: Command): void {
  oneOf(command, '--trace-source <kind>', {
    words: ['file', 'memory', 'otlp', 'tempo', 'jaeger'],
    description: 'where the traces are (default: file)',
    hints: {
      grafana:
        'Grafana is read as Tempo, through its data-source proxy: --trace-source tempo --url https://GRAFANA/api/datasources/proxy/uid/UID --token-env NAME.',
    },
  });
  repeatable(command, '--input <path>', 'file, folder or glob; - is standard input');
  repeatable(command, '--trace-id <id>', 'only this trace');
  repeatable(
    command,
    '--instrumented <scope>',
    'this scope makes a span for every model and tool call, your word for it',
  );
  command
    .option('--service <name>', 'only runs with a span of this service.name')
    .option('--run-id <id>', 'only the run with this id')
    .option('--conversation-id <id>', 'only runs of this conversation')
    .option('--one-run', 'all traces that are read are one run')
    .option('--digest-key-env <name>', 'variable that holds the key of digests (default: OTEL_EVAL_DIGEST_KEY)')
    .option('--config <file>', 'configuration (default: otel-eval.config.ts, .js, .yaml or .json, found upwards)');
  duration(command, '--deadline <duration>', 'give up looking after this long, as 30s');
  describeRemoteSource(command);
}

/** Of commands that can show what the spans say. */
export function describeContent(command: Command): void {
  command.option('--show-content', 'also print content of spans: on a terminal only, never into a file');
}

/** Options of every command. */
export function describeOutput(command: Command): void {
  command
    .option('--quiet', 'only what needs attention')
    .option('--no-color', 'no colours (so does the variable NO_COLOR)')
    .option('--debug', 'say more about an error, with its stack');
}
