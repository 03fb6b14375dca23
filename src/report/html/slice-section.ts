import { html, type SafeHtml } from '@remix-run/html-template';
import type { SliceBin, SliceReport } from '../slice-report.ts';
import { rangeText } from '../slices.ts';
import { plural } from './plural.ts';

/** Pass rate by a measure, with its interval drawn. Descriptive: nothing is judged by it. */
export function sliceSection(slices: readonly SliceReport[]): SafeHtml | null {
  if (slices.length === 0) return null;
  return html`<section class="table"><h2>Slices</h2>${slices.map(sliceTable)}</section>
`;
}

function sliceTable({ scenario, measure, bins, untold }: SliceReport): SafeHtml {
  return html`<h3>${scenario} by ${measure}</h3>
<table><thead><tr><th scope="col">${measure}</th><th scope="col">passed</th><th scope="col">rate, 95 % interval</th><th scope="col">0 – 100 %</th></tr></thead>
<tbody>${bins.map(
    (bin) =>
      html`<tr><th scope="row">${rangeText(bin)}</th><td>${bin.passed} of ${bin.runs}</td><td>${rateOf(bin)}</td><td>${interval(bin)}</td></tr>`,
  )}</tbody></table>
${untold === 0 ? null : html`<p class="aside">not told in ${plural(untold, 'run')}</p>`}`;
}

function rateOf({ runs, passed, lower, upper }: SliceBin): string {
  if (runs === 0) return 'no run';
  const percent = (share: number): string => (share * 100).toFixed(0);
  return `${percent(passed / runs)} % (${percent(lower)}–${percent(upper)} %)`;
}

function interval({ runs, passed, lower, upper }: SliceBin): SafeHtml | null {
  if (runs === 0) return null;
  const at = (share: number): string => `${(share * 100).toFixed(1)}%`;
  return html`<svg class="interval" aria-hidden="true"><rect class="range" x="${at(lower)}" width="${at(upper - lower)}" y="5" height="8"/><rect class="rate" x="${at(Math.min(passed / runs, 0.99))}" width="3" y="1" height="16"/></svg>`;
}
