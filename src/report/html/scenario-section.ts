import { html, type SafeHtml } from '@remix-run/html-template';
import type { ScenarioReport, TrialReport } from '../report.ts';
import { trialsText } from '../trials-text.ts';
import { plural } from './plural.ts';
import type { SectionContext } from './section-context.ts';
import { statusMark } from './status-mark.ts';
import { trialSection } from './trial-section.ts';

/** Trials of one scenario that are listed; the JSON report holds them all. */
const mostTrials = 200;

export function scenarioSection(scenario: ScenarioReport, context: SectionContext): SafeHtml {
  const { name, status, tags, missing, trials } = scenario;
  const id = context.numbering.next('scenario');
  const shown = shownTrials(trials);
  const folded = context.many && status === 'passed' && !trials.includes(context.open as TrialReport);
  const rest = trials.length - shown.length;
  return html`<details class="scenario" data-status="${status}" data-words="${wordsOf(scenario)}" id="${id}"${folded ? null : html` open`}>
<summary><h2>${statusMark(status)} ${name}</h2>
<span class="aside">${trialsText(scenario)}</span>${tags.map((tag) => html` <span class="tag">${tag}</span>`)}</summary>
${missing.length === 0 ? null : html`<ul class="reasons">${missing.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
${shown.map((trial) => trialSection(scenario, trial, context))}
${rest === 0 ? null : html`<p class="aside">${plural(rest, 'more trial')}: see the JSON report.</p>`}
</details>
`;
}

/** Those that did not pass come first. */
function shownTrials(trials: readonly TrialReport[]): readonly TrialReport[] {
  const failing = trials.filter(({ status }) => status !== 'passed');
  const passing = trials.filter(({ status }) => status === 'passed');
  return [...failing, ...passing].slice(0, mostTrials);
}

/** What the search finds a scenario by. */
function wordsOf({ name, tags, trials }: ScenarioReport): string {
  const assertions = trials.flatMap((trial) => trial.assertions);
  const codes = assertions.flatMap(({ findings }) => findings.map(({ code }) => code));
  const ids = trials.flatMap(({ traceIds, runId }) => [...traceIds, runId ?? '']);
  return [...new Set([name, ...tags, ...assertions.map((each) => each.name), ...codes, ...ids])]
    .join(' ')
    .toLowerCase();
}
