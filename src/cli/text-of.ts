import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

/** What stands in a file that the user named. Throws `OTEL_EVAL_IO` where it cannot be read. */
export async function textOf(name: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, name), 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'failed';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${name}: ${code}`, { source: name, cause });
  }
}
