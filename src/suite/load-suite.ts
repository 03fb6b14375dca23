import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { AssertionRegistry } from './assertion-registry.ts';
import { loadModule } from './load-module.ts';
import type { Parsed } from './parse-assertion.ts';
import { parseSuite } from './parse-suite.ts';
import type { Suite } from './suite.ts';
import { type SuiteProblem, suiteError } from './suite-problem.ts';
import { parseSuiteText, type SuiteText } from './suite-text.ts';

export const textEndings: readonly string[] = ['.yaml', '.yml', '.json'];
export const moduleEndings: readonly string[] = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];

/** Reads a suite file; the first thing wrong with it is thrown as an `OTEL_EVAL_SUITE` error with line and column. */
export async function loadSuite(path: string, registry: AssertionRegistry, cwd: string): Promise<Suite> {
  const { value, problems } = await readSuite(path, registry, cwd);
  if (value === undefined) throw suiteError(path, problems);
  return value;
}

/** The same, with everything that is wrong. A file that cannot be read or is not YAML, JSON or a module still throws. */
export async function readSuite(path: string, registry: AssertionRegistry, cwd: string): Promise<Parsed<Suite>> {
  const file = await readDataFile(path, cwd);
  const name = basename(exportOf(path).file).replace(/(\.suite)?\.[^.]+$/, '');
  const { value, problems } = parseSuite(file.data, registry, { name, path: resolve(cwd, exportOf(path).file) });
  return value === undefined ? { problems: placed(problems, file) } : { value };
}

/** A YAML, JSON or TypeScript file as data. */
export interface DataFile {
  readonly data: unknown;
  /** Absent for a module. */
  readonly locate: SuiteText['locate'] | undefined;
}

export async function readDataFile(path: string, cwd: string): Promise<DataFile> {
  const { file, exportName } = exportOf(path);
  const ending = extname(file).toLowerCase();
  const absolute = resolve(cwd, file);
  if (moduleEndings.includes(ending)) return { data: await loadModule(absolute, file, exportName), locate: undefined };
  if (!textEndings.includes(ending)) {
    const wanted = [...textEndings, ...moduleEndings].join(', ');
    throw new OtelEvalError('OTEL_EVAL_USAGE', `expected a suite file (${wanted}), got ${path}`, { source: path });
  }
  return parseSuiteText(await readText(absolute, path), path, ending === '.json' ? 'json' : 'yaml');
}

/** `refund.suite.ts#nightly` → the export `nightly`; without `#` the default export. */
function exportOf(path: string): { readonly file: string; readonly exportName: string } {
  const [, file, exportName] = /^(.+\.[cm]?[jt]s)#([\w$]+)$/i.exec(path) ?? [];
  return file === undefined || exportName === undefined ? { file: path, exportName: 'default' } : { file, exportName };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
};

async function readText(absolute: string, path: string): Promise<string> {
  try {
    return await readFile(absolute, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${path}: ${reasons[code] ?? code}`, { source: path, cause });
  }
}

/** Problems with line and column, in the order of the file; of one place a misspelt name first, which explains the rest. */
export function placed(problems: readonly SuiteProblem[], { locate }: DataFile): SuiteProblem[] {
  const told = withoutEchoes(problems);
  if (locate === undefined) return told;
  const rank = ({ message }: SuiteProblem): number => (message.startsWith('unknown') ? 0 : 1);
  return told
    .map((problem) => ({ ...problem, ...locate(problem.path, rank(problem) === 0 ? 'key' : 'value') }))
    .sort((a, b) => a.line - b.line || a.column - b.column || rank(a) - rank(b));
}

/** That a key is missing need not be said where a misspelt one is told to mean it. */
function withoutEchoes(problems: readonly SuiteProblem[]): SuiteProblem[] {
  const meant = problems.flatMap(({ message, path, hint }) => {
    const near = message.startsWith('unknown key') ? /^did you mean "(.+)"\?$/.exec(hint ?? '')?.[1] : undefined;
    return near === undefined ? [] : [JSON.stringify([...path.slice(0, -1), near])];
  });
  return problems.filter(
    ({ message, path }) => !message.endsWith(', got nothing') || !meant.includes(JSON.stringify(path)),
  );
}
