import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Artifact } from '../../suite/gate/gate-report.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/** Name and SHA-256 of what is tested; `null` where nothing was named. */
export async function artifactOf(path: string | undefined, cwd: string): Promise<Artifact | null> {
  if (path === undefined) return null;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(resolve(cwd, path))) hash.update(chunk as Buffer);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw new OtelEvalError('OTEL_EVAL_IO', `cannot read the artifact ${path}: ${code}`, { source: path, cause });
  }
  return { name: basename(path), sha256: hash.digest('hex') };
}
