import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk cannot be written to',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOSPC: 'no space is left on the disk',
};

/** One sentence for what the system says when a path is read. */
export function unreadable(path: string, cause: unknown): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_IO', `cannot read ${path}: ${reasonOf(cause)}`, { source: path, cause });
}

/** The same when it is written. */
export function unwritable(path: string, cause: unknown): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_IO', `cannot write ${path}: ${reasonOf(cause)}`, { source: path, cause });
}

function reasonOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? `the system says ${code ?? 'no more'}`;
}
