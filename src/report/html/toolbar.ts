import { html, type SafeHtml } from '@remix-run/html-template';
import type { Report, Status } from '../report.ts';
import { statusWord } from '../summary-text.ts';

const filters: readonly Status[] = ['failed', 'error', 'unavailable', 'inconclusive', 'passed', 'notApplicable'];

export function toolbar({ summary }: Report): SafeHtml {
  return searchBar(filters.filter((status) => summary[status] > 0));
}

/** Search and filter. They need the behaviour of the page, and are not there without it. */
export function searchBar(present: readonly Status[]): SafeHtml {
  const buttons = present.map(
    (status) =>
      html`<button type="button" data-filter="${status}" aria-pressed="true" class="${status}">${statusWord(status)}</button>`,
  );
  return html`<div class="toolbar" role="search" hidden>
<label for="search">Search</label>
<input id="search" type="search" placeholder="span, tool, code, id, scenario" autocomplete="off" spellcheck="false">
<output id="found" for="search"></output>
${present.length < 2 ? null : html`<div class="filters" role="group" aria-label="Scenarios shown">${buttons}</div>`}
<button type="button" id="guilty" title="n and p">Next marked span</button>
<details class="keys"><summary>Keys</summary>
<dl>
<div><dt><kbd>/</kbd></dt><dd>search</dd></div>
<div><dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next, previous span that a finding points at</dd></div>
<div><dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>through the spans</dd></div>
<div><dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>fold, unfold</dd></div>
<div><dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first, last span</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>clear the search</dd></div>
</dl></details>
</div>`;
}
