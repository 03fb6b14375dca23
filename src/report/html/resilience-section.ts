import { html, type SafeHtml } from '@remix-run/html-template';
import { recoveryLabels } from '../../faults/recovery/classification.ts';
import type { ResilienceCounts, ResilienceReport } from '../resilience-report.ts';
import { resilienceText as text } from '../resilience-text.ts';

/** What agents made of faults. Beside the success rate: what stands here is counted nowhere else on the page. */
export function resilienceSection(resilience: ResilienceReport | undefined): SafeHtml | null {
  if (resilience === undefined) return null;
  const once = text.observations(resilience);
  const columns = [...recoveryLabels.map((label) => label.replaceAll('_', ' ')), 'outside the labels'];
  return html`<section class="table" id="resilience"><h2>Resilience</h2>
<p>${text.head(resilience)}</p>
${resilience.repeatable ? null : html`<p class="measured">The faults do not come again in the same run: a gate refuses these counts.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Resilience by row of the fault plan"><table><thead><tr><th scope="col">row</th><th scope="col">fault</th><th scope="col">runs</th>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${resilience.rows.map((row) => html`<tr><th scope="row">${row.scenario}</th><td>${text.fault(row)}</td>${cells(row)}</tr>`)}</tbody>
<tfoot><tr><th scope="row">all rows</th><td></td>${cells(resilience)}</tr></tfoot></table></div>
${text.controls(resilience).map((line) => html`<p class="measured">${line}</p>`)}
${text.gaps(resilience).map((gap) => html`<p class="measured">${gap}</p>`)}
${once === '' ? null : html`<p class="measured">${once}</p>`}
${list('Reactions by label', text.reactions(resilience))}
${list('Flags, which never change a label', [text.flags(resilience)])}
${list('Where a fault came once, and where it stayed', text.modes(resilience))}
</section>
`;
}

function cells(counts: ResilienceCounts): SafeHtml {
  const labels = recoveryLabels.map((label) => counts.labels[label] ?? 0);
  return html`<td>${counts.runs}</td>${labels.map((count) => html`<td>${count === 0 ? '–' : count}</td>`)}<td>${text.outside(counts) || '–'}</td>`;
}

function list(heading: string, lines: readonly string[]): SafeHtml | null {
  const shown = lines.filter((line) => line !== '');
  if (shown.length === 0) return null;
  return html`<h3>${heading}</h3>
<ul>${shown.map((line) => html`<li>${line}</li>`)}</ul>`;
}
