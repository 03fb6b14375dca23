import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OtelEvalError } from '../trace/otel-eval-error.ts';

/**
 * A file that a report will be written to. That it can be is found out before anything is judged; it appears whole or
 * not at all.
 */
export class ReportTarget {
  readonly #path: string;
  readonly #shown: string;
  /** Stands beside the target until it is whole; `undefined` for a device or a pipe, which cannot be replaced. */
  readonly #draft: string | undefined;

  private constructor(path: string, shown: string, draft: string | undefined) {
    this.#path = path;
    this.#shown = shown;
    this.#draft = draft;
  }

  static async open(shown: string, cwd: string): Promise<ReportTarget> {
    const path = resolve(cwd, shown);
    try {
      const existing = await stat(path).catch(ignoreAbsence);
      if (existing?.isDirectory()) throw new OtelEvalError('OTEL_EVAL_IO', `cannot write ${shown}: it is a directory`);
      if (existing !== undefined) await access(path, constants.W_OK);
      if (existing !== undefined && !existing.isFile()) return new ReportTarget(path, shown, undefined);
      await mkdir(dirname(path), { recursive: true });
      const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
      await (await open(draft, 'wx')).close();
      return new ReportTarget(path, shown, draft);
    } catch (cause) {
      throw unwritable(shown, cause);
    }
  }

  async write(text: string): Promise<void> {
    try {
      await writeFile(this.#draft ?? this.#path, text);
      if (this.#draft !== undefined) await rename(this.#draft, this.#path);
    } catch (cause) {
      await this.discard();
      throw unwritable(this.#shown, cause);
    }
  }

  /** Leaves no trace of a report that was not written. */
  async discard(): Promise<void> {
    if (this.#draft !== undefined) await rm(this.#draft, { force: true }).catch(() => {});
  }
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
};

function unwritable(shown: string, cause: unknown): OtelEvalError {
  if (OtelEvalError.is(cause)) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  return new OtelEvalError('OTEL_EVAL_IO', `cannot write ${shown}: ${reasons[code] ?? code}`, { source: shown, cause });
}
