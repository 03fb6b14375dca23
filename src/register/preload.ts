import { register } from './register.ts';

/** True where Node was told to load this package before the app: `--import otel-eval/register`, or its file. */
function isPreloaded(): boolean {
  const told = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  return /(?:^|[\s"'=/])otel-eval\/register/.test(told) || told.includes(import.meta.dirname);
}

if (isPreloaded()) register();
