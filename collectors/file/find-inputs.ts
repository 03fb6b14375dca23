import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { unreadable } from './io-errors.ts';

/** One file to read, as it was found. */
export interface FoundInput {
  /** As the user wrote it, or below the folder or glob they named; `stdin` for `-`. */
  readonly label: string;
  /** `undefined` for standard input. */
  readonly path: string | undefined;
  /** False for a file found in a folder or by a glob: one that is no trace is passed over, and told. */
  readonly named: boolean;
  /** Found by a glob that says more of its name than `*`, as `traces/*.dat`. */
  readonly byEnding: boolean;
  /** A pipe, which can be read only once. */
  readonly pipe: boolean;
}

/**
 * The files that a list of paths, globs, folders and `-` stands for, in this order, each once. A folder gives the files
 * directly in it, those that begin with a dot left out. Throws `OTEL_EVAL_IO` for what is not there.
 *
 * @example
 * await findInputs(['traces/*.jsonl', 'more', '-']);
 */
export async function findInputs(inputs: readonly string[]): Promise<FoundInput[]> {
  if (inputs.length === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'no input: expected a file, a folder, a glob or - for standard input');
  }
  const found = new Map<string, FoundInput>();
  for (const input of inputs) {
    for (const file of await findOne(input)) {
      const key = file.path === undefined ? '-' : resolve(file.path);
      const known = found.get(key);
      if (known === undefined || (file.named && !known.named)) found.set(key, file);
    }
  }
  return [...found.values()];
}

async function findOne(input: string): Promise<FoundInput[]> {
  if (input === '-') return [{ label: 'stdin', path: undefined, named: true, byEnding: false, pipe: true }];
  const stats = await statOf(input);
  if (stats === undefined) return findByGlob(input);
  if (stats.isDirectory()) return findInFolder(input);
  if (stats.isFile() || stats.isFIFO())
    return [{ label: input, path: input, named: true, byEnding: false, pipe: stats.isFIFO() }];
  throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${input}: expected a file, a folder or a pipe`, {
    source: input,
  });
}

/** `undefined` for what does not exist. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw unreadable(path, error);
  }
}

async function findInFolder(folder: string): Promise<FoundInput[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const names = entries.filter((entry) => !entry.name.startsWith('.')).map((entry) => entry.name);
  const files: FoundInput[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    if ((await statOf(path))?.isFile()) files.push({ label: path, path, named: false, byEnding: false, pipe: false });
  }
  if (files.length > 0) return files;
  throw new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `the folder ${folder} holds no file: expected trace files in it`, {
    source: folder,
    hint: 'Files of its sub-folders are read with a glob, as "traces/**/*.jsonl".',
  });
}

async function findByGlob(input: string): Promise<FoundInput[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(input)) {
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${input}: no such file or folder`, { source: input });
  }
  const paths = await glob(input, {
    absolute: isAbsolute(input),
    onlyFiles: true,
    dot: false,
    expandDirectories: false,
  });
  if (paths.length === 0) {
    throw new OtelEvalError('OTEL_EVAL_IO', `no file matches ${input}`, { source: input });
  }
  const byEnding = !/^\*+$/.test(basename(input));
  return paths.sort().map((path) => ({ label: path, path, named: false, byEnding, pipe: false }));
}
