import { html, type SafeHtml } from '@remix-run/html-template';
import { durationText } from '../duration-text.ts';
import type { Waterfall, WaterfallRow } from '../waterfall/waterfall.ts';
import type { Numbering } from './numbering.ts';
import { plural } from './plural.ts';
import { printedRows } from './printed-rows.ts';
import { axisRow, barOf, type TimeAxis, timeAxisOf } from './time-axis.ts';

/** Rows that the browser lays out together, and not at all while they are out of sight. */
const chunk = 50;
const deepest = 16;

/** A trace as a tree along a time axis. `guilty` holds `trace id, span id`. */
export function waterfallSection(waterfall: Waterfall, guilty: ReadonlySet<string>, numbering: Numbering): SafeHtml {
  const { traceId } = waterfall;
  const rows = waterfall.rows.map((row) => ({ ...row, guilty: isGuilty(row, guilty) }));
  const axis = timeAxisOf(rows);
  const id = numbering.next('trace');
  const printed = printedRows(rows);
  const lines = rows.map((row, at) => rowLine(row, { axis, at, parent: isAbove(rows, at), printed: printed.has(at) }));
  const long = printed.size < rows.length;
  return html`<section class="waterfall" data-trace="${traceId}" aria-labelledby="${id}">
<h4 id="${id}">Trace <code>${traceId}</code></h4>
<p class="aside">${asideOf(waterfall, axis)}</p>
${axis === undefined ? null : axisRow(axis)}
<div class="rows${axis === undefined ? ' timeless' : ''}${rows.length > 2 * chunk ? ' many' : ''}" role="tree" aria-labelledby="${id}" tabindex="0">${chunks(lines).map((part) => html`<div class="chunk" role="group">${part}</div>`)}</div>
${long ? html`<p class="print-only">${plural(printed.size, 'row')} of ${rows.length.toLocaleString('en')} printed.</p>` : null}
<dl class="details" hidden></dl>
${legend(rows)}
<script type="application/json">${html.raw`${dataOf(rows)}`}</script>
</section>
`;
}

interface Line {
  readonly axis: TimeAxis | undefined;
  readonly at: number;
  /** Rows below belong to it. */
  readonly parent: boolean;
  readonly printed: boolean;
}

function rowLine(row: WaterfallRow, { axis, at, parent, printed }: Line): SafeHtml {
  const { depth, step, guilty, notes, faults, name, durationMs } = row;
  const looks = [
    'row',
    `d${Math.min(depth, deepest)}`,
    ...(step === undefined ? [] : [step]),
    ...(notes.includes('ERROR') ? ['err'] : []),
    ...(guilty ? ['guilty'] : []),
    ...(row.spanId === null ? ['folded'] : []),
    ...(printed ? [] : ['unprinted']),
  ];
  const marks = guilty ? html`<b class="mark failed" role="img" aria-label="a finding points here">✗</b> ` : null;
  const told = [
    ...notes.map((note) => html` <em>${note}</em>`),
    ...faults.map((fault) => html` <em class="fault">⚡ ${fault}</em>`),
  ];
  const time = durationMs === undefined ? '' : durationText(durationMs);
  return html`<div role="treeitem" aria-level="${depth + 1}"${parent ? html` aria-expanded="true"` : null} class="${looks.join(' ')}" data-at="${at}" tabindex="-1"><span class="n">${marks}${name}${step === undefined || step === 'other' ? null : html` <i>${step}</i>`}${told}</span>${axis === undefined ? null : html`<span class="b">${barOf(row, axis)}</span><span class="t">${time}</span>`}</div>`;
}

function isGuilty({ traceId, spanId, guilty: folded }: WaterfallRow, guilty: ReadonlySet<string>): boolean {
  return spanId === null ? folded : guilty.has(`${traceId} ${spanId}`);
}

function isAbove(rows: readonly WaterfallRow[], at: number): boolean {
  return (rows[at + 1]?.depth ?? 0) > (rows[at]?.depth ?? 0);
}

function chunks<T>(all: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < all.length; at += chunk) parts.push(all.slice(at, at + chunk));
  return parts;
}

function asideOf({ spans, completeness, rows }: Waterfall, axis: TimeAxis | undefined): string {
  const folded = rows.some(({ spanId }) => spanId === null);
  const reasons =
    completeness === undefined || completeness.reasons.length === 0 ? '' : `: ${completeness.reasons.join('; ')}`;
  return [
    `${plural(spans, 'span')}${folded ? ', not all shown' : ''}`,
    ...(axis === undefined ? [] : [durationText(axis.lengthMs)]),
    ...(completeness === undefined ? [] : [`${completeness.state}${reasons}`]),
  ].join(' · ');
}

function legend(rows: readonly WaterfallRow[]): SafeHtml {
  const steps = [...new Set(rows.flatMap(({ step }) => step ?? []))];
  return html`<ul class="legend" aria-label="Colours">${steps.map(
    (step) =>
      html`<li class="${step}"><svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="2"/></svg> ${step}</li>`,
  )}</ul>`;
}

/** Ids, times and facts of each row, for the panel of details. Escaped so that no name can end the element. */
function dataOf(rows: readonly WaterfallRow[]): string {
  const data = rows.map(({ spanId, startMs, durationMs, facts }) => [
    spanId,
    startMs ?? null,
    durationMs ?? null,
    facts,
  ]);
  return JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
