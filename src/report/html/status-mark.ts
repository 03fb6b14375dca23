import { html, type SafeHtml } from '@remix-run/html-template';
import type { Status } from '../report.ts';
import { statusWord } from '../summary-text.ts';

const marks: Readonly<Record<Status, string>> = {
  passed: '✓',
  failed: '✗',
  inconclusive: '?',
  error: '!',
  unavailable: '–',
  notApplicable: '–',
};

/** The sign of a status, with its word for those who do not see it. */
export function statusMark(status: Status): SafeHtml {
  return html`<span class="mark ${status}" role="img" aria-label="${statusWord(status)}">${marks[status]}</span>`;
}

/** The word itself, as a pill. */
export function statusPill(status: Status): SafeHtml {
  return html`<span class="pill ${status}">${marks[status]} ${statusWord(status)}</span>`;
}
