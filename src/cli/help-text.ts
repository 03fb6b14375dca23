/** The first page: the two things people come for, then every command. */
export function helpText(commands: readonly { readonly name: string; readonly summary: string }[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `otel-eval decides from its OpenTelemetry trace whether an agent did the right thing.

  otel-eval show --input traces.jsonl                     what is in this file?
  otel-eval check --input traces.jsonl suite.yaml         did the agent do what it should?

Commands:
${lines.join('\n')}

Options:
  --version   the version
  --help      this text; "otel-eval COMMAND --help" for one command

Exit codes: 0 passed, 1 failed, 2 error, 3 unavailable, 4 inconclusive (no evidence is never a pass).
`;
}
