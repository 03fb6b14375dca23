import { html, type SafeHtml } from '@remix-run/html-template';
import type { Run } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import type { CollectedTrace, InputReading } from '../../trace/trace-set.ts';
import type { Waterfall } from '../waterfall/waterfall.ts';
import { waterfallOf } from '../waterfall/waterfall-of.ts';
import { htmlPage } from './html-page.ts';
import { Numbering } from './numbering.ts';
import { plural } from './plural.ts';
import { searchBar } from './toolbar.ts';
import { waterfallSection } from './waterfall-section.ts';

/** Of one trace, and of a page. */
const mostRows = 20_000;

interface Drawn {
  readonly title: string;
  readonly facts: readonly [string, string][];
  readonly waterfalls: readonly Waterfall[];
}

/** Runs that nobody judged, as one page: takes them one by one, keeps what is drawn of them, and is HTML in the end. */
export class TracesPage {
  readonly #drawn: Drawn[] = [];
  #rows = 0;
  #left = 0;

  add(run: Run, traces: readonly CollectedTrace[]): void {
    if (this.#rows >= mostRows) {
      this.#left += 1;
      return;
    }
    const options = { rows: mostRows, guilty: new Set<string>(), deterministic: false, declared: {} };
    const waterfalls = traces.map((collected) => waterfallOf(collected, run, options));
    this.#rows += waterfalls.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#drawn.push({ title: titleOf(run), facts: factsOf(run), waterfalls });
  }

  finish(name: string, inputs: readonly InputReading[]): string {
    const numbering = new Numbering();
    const problems = inputs.flatMap((each) => each.problems);
    const body = html`<header class="top"><h1>${name}</h1>
<p class="counts"><b>${plural(this.#drawn.length + this.#left, 'run')}</b></p></header>
${searchBar([])}
<main>
${this.#drawn.map((drawn, at) => runSection(drawn, numbering, at === 0))}
${this.#left === 0 ? null : html`<p class="aside">${plural(this.#left, 'more run')} not drawn: "otel-eval show" prints them.</p>`}
<p class="nothing" hidden>Nothing here fits the search.</p>
${this.#drawn.length > 0 ? null : html`<p>Read, and it holds no span.</p>`}
${problemSection(problems)}
</main>`;
    return htmlPage({ title: name, body });
  }
}

function runSection({ title, facts, waterfalls }: Drawn, numbering: Numbering, open: boolean): SafeHtml {
  const words = [title, ...facts.flat(), ...waterfalls.map(({ traceId }) => traceId)].join(' ').toLowerCase();
  return html`<details class="scenario trial" data-status="" data-words="${words}" id="${numbering.next('run')}"${open ? html` open` : null}>
<summary><h2>${title}</h2></summary>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${waterfalls.map((each) => waterfallSection(each, new Set(), numbering))}
</details>
`;
}

function titleOf({ agent, runId, rootSpan }: Run): string {
  const name = agent ?? rootSpan?.name ?? null;
  const parts = [name === null ? 'run' : displayName(name), ...(runId === null ? [] : [displayName(runId)])];
  return parts.join(' · ');
}

function factsOf({ conversationId, boundary, dialects, modelCalls, toolCalls, usage }: Run): [string, string][] {
  const tokens = `${usage.input ?? '?'} in, ${usage.output ?? '?'} out`;
  return [
    ...(conversationId === null ? [] : [['conversation', displayName(conversationId)] as [string, string]]),
    ['boundary', boundary],
    ['read as', dialects.map((each) => each.name).join(', ') || 'no known convention'],
    ['model calls', String(modelCalls.length)],
    ['tool calls', String(toolCalls.length)],
    ...(usage.coverage === 'none' ? [] : [['tokens', tokens] as [string, string]]),
  ];
}

function problemSection(problems: readonly InputReading['problems'][number][]): SafeHtml | null {
  if (problems.length === 0) return null;
  return html`<section class="table"><h2>${plural(problems.length, 'problem')} in the input</h2>
<ul>${problems.slice(0, 10).map(({ message, at }) => html`<li>${message} (${at})</li>`)}</ul></section>`;
}
