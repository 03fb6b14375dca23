import { type Command, InvalidArgumentError, Option } from 'commander';
import { duration, repeatable } from './option-table.ts';

/** Options of a source that is a server: Tempo, also behind Grafana, and Jaeger. */
export function describeRemoteSource(command: Command): void {
  describeServer(command);
  command
    .option('--query <traceql>', 'TraceQL that finds the traces (tempo)')
    .option('--since <time>', 'start of the search: a time, or a duration before now (default: 1h)')
    .option('--until <time>', 'end of the search (default: now)')
    .addOption(new Option('--limit <number>', 'at most so many traces, the newest').argParser(count));
  duration(command, '--settle <duration>', 'how long a trace without receipts must stay the same (default: 6s)');
}

/** Which server, and as whom it is asked. */
export function describeServer(command: Command): void {
  command
    .option('--url <address>', 'server of tempo or jaeger; for Grafana …/api/datasources/proxy/uid/UID')
    .option('--tenant <name>', 'tenant (X-Scope-OrgID for tempo)')
    .option('--user <name>', 'user for basic authentication; the token is the password')
    .option('--token-env <name>', 'variable that holds the token (default: OTEL_EVAL_TOKEN)')
    .option('--ca <file>', 'certificate authority of the server, PEM');
  repeatable(command, '--header <line>', "further header, as 'Name: value'; secrets go into OTEL_EVAL_HEADERS instead");
}

function count(value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('expected a number from 1');
}
