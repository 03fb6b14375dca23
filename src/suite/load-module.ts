import { access } from 'node:fs/promises';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

/** An export of a TypeScript or JavaScript file. `shown` is the path as the user wrote it. */
export async function loadModule(path: string, shown: string, exportName = 'default'): Promise<unknown> {
  const exports = await loadExports(path, shown);
  const loaded = exports[exportName];
  if (loaded === undefined) {
    const wanted = exportName === 'default' ? 'a default export' : `an export ${exportName}`;
    const word = exportName === 'default' ? 'default' : `const ${exportName} =`;
    throw new OtelEvalError('OTEL_EVAL_SUITE', `${shown}: expected ${wanted}, got none`, {
      source: shown,
      hint: `write "export ${word} defineSuite({ … })"`,
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
