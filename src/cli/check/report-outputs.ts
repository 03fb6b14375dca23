import { formatJson } from '../../report/format-json.ts';
import { formatJunit } from '../../report/format-junit.ts';
import { formatTerminal } from '../../report/format-terminal.ts';
import type { Report } from '../../report/report.ts';
import type { WaterfallStore } from '../../report/waterfall/waterfall-store.ts';
import { wantsColour } from '../colour-choice.ts';
import { type Context, OutputClosed } from '../context.ts';
import { ReportTarget } from '../report-target.ts';
import { writeStepSummary } from './step-summary.ts';

type Format = (report: Report) => string | Promise<string>;

interface Output {
  readonly target: ReportTarget;
  readonly format: Format;
}

export interface OutputGivens {
  /** `true`: on stdout, and then nothing else there. */
  readonly json: string | true | undefined;
  readonly junit: string | undefined;
  readonly html: string | undefined;
  readonly markdown: string | undefined;
  readonly github: boolean;
  /** Where HTML is wanted: the traces, drawn while their runs are at hand. */
  readonly waterfalls: WaterfallStore | undefined;
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
    const outputs: Output[] = [];
    try {
      for (const [path, format] of wantedFiles(givens)) {
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
    for (const { target, format } of this.#outputs) await target.write(await format(report));
    if (this.#givens.github) await writeStepSummary(report, this.#context);
    if (!toStdout) return;
    try {
      await this.#context.write(await this.#stdoutText(report));
    } catch (error) {
      if (!(error instanceof OutputClosed)) throw error;
    }
  }

  async discard(): Promise<void> {
    for (const { target } of this.#outputs) await target.discard();
  }

  async #stdoutText(report: Report): Promise<string> {
    const { json, github, options } = this.#givens;
    if (json === true) return formatJson(report);
    const text = formatTerminal(report, {
      columns: this.#context.columns,
      colour: wantsColour(options, this.#context),
      quiet: options['quiet'] === true,
    });
    return github ? (await import('../../report/format-github.ts')).formatGithub(report, text) : text;
  }
}

/** Formats that few ask for are loaded when they are. */
function wantedFiles({ json, junit, html, markdown, waterfalls }: OutputGivens): [string | undefined, Format][] {
  const asHtml: Format = async (report) => {
    const { formatHtml } = await import('../../report/html/format-html.ts');
    return formatHtml(report, { waterfalls: (scenario, trial) => waterfalls?.of(scenario, trial) ?? [] });
  };
  const asMarkdown: Format = async (report) => (await import('../../report/format-markdown.ts')).formatMarkdown(report);
  return [
    [typeof json === 'string' ? json : undefined, formatJson],
    [junit, formatJunit],
    [html, asHtml],
    [markdown, asMarkdown],
  ];
}
