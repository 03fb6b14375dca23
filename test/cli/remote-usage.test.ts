import { expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

const url = ['--url', 'http://127.0.0.1:1'];
const judge = ['--assert', 'ExecutionTraceJoined'];

test.each([
  [['--since', '1h', '--until', '2h'], 'expected a search that starts before it ends, got one that does not'],
  [['--since', '2027-01-01'], 'expected a search that starts before it ends, got one that does not'],
  [['--query', ' '], 'expected TraceQL such as { span.retry = 1 }, got an empty text'],
  [['--query', '{ }', '--trace-id', '1'], 'expected trace ids or TraceQL to find them, got both'],
  [['--input', 'traces.jsonl', '--trace-id', '1'], '--input does not go with the source tempo'],
  [['--limit', '0'], "argument '0' is invalid"],
  [['--settle', '-1s'], "argument '-1s' is invalid"],
  [['--trace-id', ''], 'expected a trace id of up to 32 hex digits, not all zero, got 0 characters'],
])('tempo: %s is refused before anything is asked', async (args, message) => {
  const { code, stdout, stderr } = await runCli(['check', '--trace-source', 'tempo', ...url, ...args, ...judge]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});

test.each(['file', 'memory', 'otlp'])('%s: what only a server understands is refused', async (kind) => {
  for (const flags of [url, ['--query', '{ }'], ['--since', '1h'], ['--limit', '5'], ['--tenant', 't']]) {
    const { code, stderr } = await runCli(['check', '--trace-source', kind, '--input', 'x', ...flags, ...judge]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flags[0]} does not go with the source ${kind}`)]);
  }
});
