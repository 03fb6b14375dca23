import { formatJson } from '../../report/format-json.ts';
import { formatJunit } from '../../report/format-junit.ts';
import { formatTerminal } from '../../report/format-terminal.ts';
import type { Report } from '../../report/report.ts';
import { wantsColour } from '../colour-choice.ts';
import { type Context, OutputClosed } from '../context.ts';
import { ReportTarget } from '../report-target.ts';

interface Output {
  readonly target: ReportTarget;
  readonly format: (report: Report) => string;
}

export interface OutputGivens {
  /** `true`: on stdout, and then nothing else there. */
  readonly json: string | true | undefined;
  readonly junit: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Where the report goes. Files are found writable when it is opened, and appear whole or not at all. */
export class ReportOutputs {
  readonly #outputs: readonly Output[];
  readonly #givens: OutputGivens;
  readonly #context: Context;

  private constructor(outputs: readonly Output[], givens: OutputGivens, context: Context) {
    this.#outputs = outputs;
    this.#givens = givens;
    this.#context = context;
  }

  static async open(givens: OutputGivens, context: Context): Promise<ReportOutputs> {
    const wanted: [string | undefined, (report: Report) => string][] = [
      [typeof givens.json === 'string' ? givens.json : undefined, formatJson],
      [givens.junit, formatJunit],
    ];
    const outputs: Output[] = [];
    try {
      for (const [path, format] of wanted) {
        if (path !== undefined) outputs.push({ target: await ReportTarget.open(path, context.cwd), format });
      }
    } catch (error) {
      for (const { target } of outputs) await target.discard();
      throw error;
    }
    return new ReportOutputs(outputs, givens, context);
  }

  /** Files first: a reader of stdout that has gone takes no report with it. */
  async write(report: Report, { toStdout }: { readonly toStdout: boolean }): Promise<void> {
    for (const { target, format } of this.#outputs) await target.write(format(report));
    if (!toStdout) return;
    try {
      await this.#context.write(this.#stdoutText(report));
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
    }
  }

  async discard(): Promise<void> {
    for (const { target } of this.#outputs) await target.discard();
  }

  #stdoutText(report: Report): string {
    const { json, options } = this.#givens;
    if (json === true) return formatJson(report);
    return formatTerminal(report, {
      columns: this.#context.columns,
      colour: wantsColour(options, this.#context),
      quiet: options['quiet'] === true,
    });
  }
}
