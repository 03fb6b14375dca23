import { html, type SafeHtml } from '@remix-run/html-template';
import type { Report } from '../report.ts';
import { plural } from './plural.ts';

/** What a green report would hide: what could not be read, and what nobody judged. */
export function sourceSection({ source, childExitCode }: Report): SafeHtml | null {
  const { problems, unselected, unselectedTraces } = source;
  const child =
    childExitCode === undefined ? null : `The command under test ended with ${childExitCode ?? 'a signal'}.`;
  if (problems.count === 0 && unselected.traces === 0 && child === null) return null;
  const more = problems.count - problems.first.length;
  return html`<section class="table"><h2>Source</h2>
${child === null ? null : html`<p>${child}</p>`}
${
  problems.count === 0
    ? null
    : html`<h3>${plural(problems.count, 'problem')} in the input</h3>
<ul>${problems.first.map(({ input, message, at }) => html`<li>${input}: ${message}${at === '' ? null : ` (${at})`}</li>`)}${more === 0 ? null : html`<li>… ${more} more</li>`}</ul>`
}
${
  unselected.traces === 0
    ? null
    : html`<h3>Not judged: ${plural(unselected.traces, 'trace')}, ${plural(unselected.spans, 'span')}</h3>
<ul>${unselectedTraces.map(({ traceId, topSpanNames }) => html`<li><code>${traceId}</code> ${topSpanNames.slice(0, 3).join(', ')}</li>`)}</ul>`
}</section>
`;
}
