import { access } from 'node:fs/promises';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

/** The default export of a TypeScript or JavaScript file. `shown` is the path as the user wrote it. */
export async function loadModule(path: string, shown: string): Promise<unknown> {
  const loaded = (await loadExports(path, shown))['default'];
  if (loaded === undefined) {
    throw new OtelEvalError('OTEL_EVAL_SUITE', `${shown}: expected a default export, got none`, {
      source: shown,
      hint: 'write "export default defineSuite({ … })"',
    });
  }
  return loaded;
}

/** All exports of a TypeScript or JavaScript file. */
export async function loadExports(path: string, shown: string): Promise<Readonly<Record<string, unknown>>> {
  await access(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'no such file' : 'permission denied';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read ${shown}: ${reason}`, { source: shown, cause });
  });
  return importModule(path, shown);
}

async function importModule(path: string, shown: string): Promise<Record<string, unknown>> {
  try {
    const { createJiti } = await import('jiti');
    return await createJiti(import.meta.url, { fsCache: false, interopDefault: false }).import(path);
  } catch (cause) {
    if (OtelEvalError.is(cause)) throw cause;
    const [line = ''] = String(cause instanceof Error ? `${cause.name}: ${cause.message}` : cause).split('\n');
    throw new OtelEvalError('OTEL_EVAL_SUITE', `${shown}: cannot be loaded: ${line.slice(0, 300)}`, {
      source: shown,
      hint: 'run it from the root of its project, where what it imports is installed',
      cause,
    });
  }
}
