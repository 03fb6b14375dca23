import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { Context } from './context.ts';
import { textOf } from './text-of.ts';

/** The texts of `--canaries FILE`, one a line; empty lines and those that begin with `#` are left out. A file without any is an error. */
export async function canariesFrom(file: string | undefined, { cwd }: Context): Promise<string[]> {
  if (file === undefined) return [];
  const lines = (await textOf(file, cwd)).split(/\r?\n/).map((line) => line.trim());
  const canaries = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (canaries.length > 0) return canaries;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected canaries in ${file}, one a line, got none`, {
    source: '--canaries',
  });
}
