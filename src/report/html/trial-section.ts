import { html, type SafeHtml } from '@remix-run/html-template';
import { durationText } from '../duration-text.ts';
import type { ScenarioReport, TrialReport } from '../report.ts';
import { assertionBlocks, passedAssertions } from './assertion-block.ts';
import type { SectionContext } from './section-context.ts';
import { statusMark } from './status-mark.ts';
import { waterfallSection } from './waterfall-section.ts';

/** One trial: what was found, on which spans, on what evidence, and how to see it again. */
export function trialSection(scenario: ScenarioReport, trial: TrialReport, context: SectionContext): SafeHtml {
  const { drawn, numbering, open } = context;
  const guilty = guiltyOf(trial);
  const waterfalls = drawn(scenario, trial);
  const found = assertionBlocks(trial.assertions);
  return html`<details class="trial" data-status="${trial.status}" id="${numbering.next('trial')}"${trial === open ? html` open` : null}>
<summary><h3>${statusMark(trial.status)} ${titleOf(scenario, trial)}</h3> <span class="aside">${asideOf(trial)}</span></summary>
<div class="${found.length === 0 ? 'body plain' : 'body'}">
${found.length === 0 ? null : html`<div class="found">${found}${diagnosis(trial)}</div>`}
<div class="traces">${waterfalls.map((each) => waterfallSection(each, guilty, numbering))}
${waterfalls.length > 0 ? null : html`<p class="aside">${untold(trial)}</p>`}</div>
</div>
${steps(trial)}
${passedAssertions(trial.assertions)}
<dl class="facts">
<div><dt>evidence</dt><dd>${trial.evidence}</dd></div>
${trial.runId === null ? null : html`<div><dt>run</dt><dd><code>${trial.runId}</code></dd></div>`}
${measures(trial).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
${trial.rerun === null ? null : html`<div class="wide"><dt>rerun</dt><dd><code class="rerun">${trial.rerun}</code></dd></div>`}
</dl>
</details>
`;
}

function titleOf({ trials, planned }: ScenarioReport, { index }: TrialReport): string {
  const word = planned === undefined ? 'Run' : 'Trial';
  return trials.length === 1 ? word : `${word} ${index} of ${trials.length}`;
}

function asideOf({ seed, durationMs, assertions }: TrialReport): string {
  const passed = assertions.filter((each) => each.passed).length;
  const parts = [
    `${passed} of ${assertions.length} assertions passed`,
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
    ...(seed === null ? [] : [`seed ${seed}`]),
  ];
  return parts.join(' · ');
}

/** `trace id, span id` of whatever a finding points at. */
function guiltyOf({ assertions }: TrialReport): ReadonlySet<string> {
  const spans = assertions.flatMap(({ findings }) => findings.flatMap((finding) => finding.spans));
  return new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
}

function untold({ traceIds }: TrialReport): string {
  if (traceIds.length === 0) return 'No trace is known to be of this trial.';
  const [first = ''] = traceIds;
  return `Not drawn here: trace ${first}${traceIds.length === 1 ? '' : ` and ${traceIds.length - 1} more`}; "otel-eval show --trace-id" prints it.`;
}

function diagnosis({ diagnosis: told }: TrialReport): SafeHtml | null {
  if (told === undefined) return null;
  return html`<dl class="diagnosis"><div><dt>likely</dt><dd>${told.likely}</dd></div><div><dt>look at</dt><dd>${told.next}</dd></div></dl>`;
}

function steps(trial: TrialReport): SafeHtml | null {
  if (trial.steps.length === 0) return null;
  return html`<ol class="steps" aria-label="Steps of the scenario">${trial.steps.map(
    ({ name, status }) => html`<li>${statusMark(status)} ${name}</li>`,
  )}</ol>`;
}

/** `toolCalls: 2` → `tool calls  2`; what the trace does not tell is left out, and the duration stands above. */
function measures({ measures: told = {} }: TrialReport): [string, string][] {
  return Object.entries(told)
    .filter(([name, value]) => value !== null && name !== 'durationMs')
    .map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      Number(value).toLocaleString('en'),
    ]);
}
