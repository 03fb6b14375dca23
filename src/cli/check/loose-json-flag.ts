import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/**
 * `--json` may stand without a file, so that `--json suite.yaml` would make the suite the report's file and overwrite
 * it. A word behind it that is a suite is the suite: the flag is moved to the end.
 */
export function withLooseJsonFlag(args: readonly string[], cwd: string): string[] {
  const at = args.indexOf('--json');
  const next = at < 0 ? undefined : args[at + 1];
  if (next === '-') return [...args.slice(0, at), ...args.slice(at + 2), '--json'];
  if (next === undefined || next.startsWith('-') || !isSuite(next, cwd)) return [...args];
  return [...args.slice(0, at), ...args.slice(at + 1), '--json'];
}

const suiteEndings = ['.yaml', '.yml', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

function isSuite(word: string, cwd: string): boolean {
  if (suiteEndings.includes(extname(word).toLowerCase())) return true;
  try {
    return /"schema"\s*:\s*"otel-eval\/suite\//.test(readFileSync(resolve(cwd, word), 'utf8').slice(0, 100_000));
  } catch {
    return false;
  }
}
