import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import { ReportTarget } from './report-target.ts';

/** A file of the user's that is written once, whole, and never over another one unless that is wished. */
export class NewFile {
  readonly #target: ReportTarget;
  #written = false;

  private constructor(target: ReportTarget) {
    this.#target = target;
  }

  static async open(shown: string, cwd: string, force: boolean): Promise<NewFile> {
    const existing = await stat(resolve(cwd, shown)).catch(() => undefined);
    if (existing?.isFile() && !force) {
      throw new OtelEvalError('OTEL_EVAL_IO', `${shown} is already here and was left as it is`, {
        source: '--out',
        hint: '--force replaces it',
      });
    }
    return new NewFile(await ReportTarget.open(shown, cwd));
  }

  async write(text: string): Promise<void> {
    await this.#target.write(text);
    this.#written = true;
  }

  /** Leaves nothing behind where nothing was written. */
  async discard(): Promise<void> {
    if (!this.#written) await this.#target.discard();
  }
}
