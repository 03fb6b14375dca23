import type { WaterfallStore } from '../../report/waterfall/waterfall-store.ts';
import type { JudgedTrial } from '../../suite/judge/judge.ts';
import { wantsContent } from '../content-choice.ts';
import type { Context } from '../context.ts';
import { Progress } from '../progress.ts';
import { GuiltyContent } from './guilty-content.ts';

/**
 * Looks on while runs are judged: for the progress line, for the waterfalls of an HTML report, and for content that
 * was asked for.
 */
export class TrialWatch {
  readonly progress: Progress;
  readonly #content: GuiltyContent | undefined;

  readonly #waterfalls: WaterfallStore | undefined;

  constructor(options: Readonly<Record<string, unknown>>, context: Context, waterfalls: WaterfallStore | undefined) {
    this.#waterfalls = waterfalls;
    this.progress = new Progress(context, { quiet: options['quiet'] === true });
    this.#content = wantsContent(options, context) ? new GuiltyContent() : undefined;
  }

  see(trial: JudgedTrial): void {
    this.progress.count();
    this.#waterfalls?.see(trial);
    this.#content?.add(trial);
  }

  end(): void {
    this.progress.end();
  }

  /** What to print below the report on a terminal; empty where nothing was asked for.
   */
  get content(): string {
    return this.#content?.text ?? '';
  }
}
