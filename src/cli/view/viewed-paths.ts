import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

const shown = /\.(html?|json|jsonl|ndjson|pb|binpb)(\.(gz|zst))?$/i;
const mostFiles = 500;

/** The files that were named, and those that a named folder holds by now; in order, each once. */
export async function viewedPaths(named: readonly string[], cwd: string): Promise<string[]> {
  const lists = await Promise.all(named.map((path) => filesOf(path, cwd)));
  return [...new Set(lists.flat())].slice(0, mostFiles);
}

async function filesOf(path: string, cwd: string): Promise<string[]> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found === undefined) {
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${path}: no such file`, { source: path });
  }
  if (!found.isDirectory()) return [path];
  const names = await readdir(resolve(cwd, path));
  return names
    .filter((name) => shown.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(path, name));
}
