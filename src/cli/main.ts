#!/usr/bin/env node
// The version is asked for by scripts and must answer at once: nothing else is loaded for it.
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { packageVersion } = await import('../package-version.ts');
  process.stdout.write(`${packageVersion()}\n`);
} else {
  const { runCommandLine } = await import('./command-line.ts');
  const { processContext } = await import('./process-context.ts');
  const code = await runCommandLine(args, processContext());
  process.exitCode = code;
}

export {};
