import { html, type SafeHtml } from '@remix-run/html-template';
import type { AssertionReport, FindingReport } from '../report.ts';
import { plural } from './plural.ts';
import { statusMark, statusPill } from './status-mark.ts';

/** Findings of one assertion that are listed in full. */
const mostFindings = 50;

/** What did not pass; that with findings first. */
export function assertionBlocks(assertions: readonly AssertionReport[]): SafeHtml[] {
  const open = assertions.filter(({ status }) => status !== 'passed');
  const found = open.filter(({ findings }) => findings.length > 0);
  return [...found, ...open.filter(({ findings }) => findings.length === 0)].map(block);
}

function block(assertion: AssertionReport): SafeHtml {
  const { name, status, examined, findings, missing, remarks } = assertion;
  const rest = findings.length - mostFindings;
  return html`<section class="assertion">
<h4>${name} ${statusPill(status)}${label(assertion)}</h4>
${findings.slice(0, mostFindings).map(findingBlock)}
${rest <= 0 ? null : html`<p class="aside">${plural(rest, 'more finding')}: see the JSON report.</p>`}
${missing.length === 0 ? null : html`<dl class="finding">${missing.map(({ message }) => html`<div><dt>missing</dt><dd>${message}</dd></div>`)}</dl>`}
${remarks.map((remark) => html`<p class="aside">${remark}</p>`)}
<p class="aside">${plural(examined, 'span')} examined</p>
</section>
`;
}

function findingBlock({ code, expected, observed, spans, nearMisses }: FindingReport): SafeHtml {
  return html`<div class="finding"><p><code class="code">${code}</code></p>
<dl>
<div><dt>expected</dt><dd>${expected}</dd></div>
<div><dt>observed</dt><dd>${observed}</dd></div>
${nearMisses.map(
  ({ span, difference }) =>
    html`<div><dt>near miss</dt><dd>${span === null ? null : spanLink(span, span.spanId)} ${difference}</dd></div>`,
)}
${spans.length === 0 ? null : html`<div><dt>${spans.length === 1 ? 'span' : 'spans'}</dt><dd>${spans.slice(0, 12).map((span) => html`${spanLink(span, span.spanId)} `)}${spans.length > 12 ? `and ${spans.length - 12} more` : null}</dd></div>`}
</dl></div>
`;
}

/** Leads to the span in the waterfall of the same trial. */
function spanLink({ traceId, spanId }: FindingReport['spans'][number], text: string): SafeHtml {
  return html`<button type="button" class="span" data-trace="${traceId}" data-span="${spanId}">${text}</button>`;
}

function label({ nondeterministic, advisory }: AssertionReport): SafeHtml | null {
  const words = [nondeterministic === true ? 'nondeterministic' : '', advisory === true ? 'advisory' : ''].filter(
    Boolean,
  );
  return words.length === 0 ? null : html` <span class="tag">${words.join(', ')}</span>`;
}

/** What passed, each in a line, with what it rests on. */
export function passedAssertions(assertions: readonly AssertionReport[]): SafeHtml | null {
  const passed = assertions.filter(({ status }) => status === 'passed');
  if (passed.length === 0) return null;
  return html`<ul class="passed" aria-label="Assertions that passed">${passed.map(
    ({ name, examined, remarks }) =>
      html`<li>${statusMark('passed')} ${name} <span class="aside">${[`${plural(examined, 'span')} examined`, ...remarks].join('; ')}</span></li>`,
  )}</ul>`;
}
