import { html, type SafeHtml } from '@remix-run/html-template';
import type { Report, ScenarioReport, Status } from '../report.ts';
import type { Waterfall } from '../waterfall/waterfall.ts';
import type { Waterfalls } from '../waterfall/waterfall-store.ts';
import { waterfallsOfReport } from '../waterfall/waterfalls-of-report.ts';
import { htmlPage } from './html-page.ts';
import { Numbering } from './numbering.ts';
import { packSection } from './pack-section.ts';
import { pageHeader } from './page-header.ts';
import { resilienceSection } from './resilience-section.ts';
import { scenarioSection } from './scenario-section.ts';
import { sliceSection } from './slice-section.ts';
import { sourceSection } from './source-section.ts';
import { toolbar } from './toolbar.ts';

export interface FormatHtmlOptions {
  /**
   * The traces of a trial. Default: the part of them that the report itself keeps of a trial that did not pass.
   */
  readonly waterfalls?: Waterfalls;
}

/**
 * A report as one HTML file that asks nothing of any server. What did not pass stands first and is open.
 *
 * @example
 * await writeFile('report.html', formatHtml(report));
 */
export function formatHtml(report: Report, options: FormatHtmlOptions = {}): string {
  const drawn = waterfallsOr(options.waterfalls);
  const numbering = new Numbering();
  const scenarios = [...report.scenarios].sort((a, b) => urgency(a.status) - urgency(b.status));
  const open = firstToOpen(scenarios);
  const body = html`
${pageHeader(report)}
${toolbar(report)}
<main>
${report.error === undefined ? null : html`<p class="accident"><code>${report.error.code}</code> ${report.error.message}</p>`}
${scenarios.map((scenario) => scenarioSection(scenario, { drawn, numbering, open, many: scenarios.length > 1 }))}
<p class="nothing" hidden>Nothing here fits the search and the filter.</p>
${resilienceSection(report.resilience)}
${packSection(report.applicability)}
${sliceSection(report.slices ?? [])}
${sourceSection(report)}
</main>`;
  return htmlPage({ title: titleOf(report), body });
}

function waterfallsOr(given: Waterfalls | undefined): Waterfalls {
  return (scenario, trial) => {
    const kept: readonly Waterfall[] = given?.(scenario, trial) ?? [];
    return kept.length > 0 ? kept : waterfallsOfReport(trial);
  };
}

const order: readonly Status[] = ['failed', 'error', 'unavailable', 'inconclusive', 'passed', 'notApplicable'];

/** What a reader must look at first stands first; equal ones in the order of the suite. */
function urgency(status: Status): number {
  return order.indexOf(status);
}

/** The trial that most likely brought the reader here: the first that did not pass, else the first. */
function firstToOpen(scenarios: readonly ScenarioReport[]): ScenarioReport['trials'][number] | undefined {
  const trials = scenarios.flatMap((scenario) => scenario.trials);
  return trials.find(({ status }) => status !== 'passed') ?? trials[0];
}

function titleOf({ suite, status }: Report): string {
  return `${status === 'notApplicable' ? 'not applicable' : status} · ${suite ?? 'otel-eval'}`;
}

export type Markup = SafeHtml;
