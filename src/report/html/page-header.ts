import { html, type SafeHtml } from '@remix-run/html-template';
import { durationText } from '../duration-text.ts';
import type { Report, Status } from '../report.ts';
import { resilienceText } from '../resilience-text.ts';
import { statusWord } from '../summary-text.ts';
import { plural } from './plural.ts';
import { statusPill } from './status-mark.ts';

/** What came out, of what, and on which evidence: all that many readers want to know. */
export function pageHeader(report: Report): SafeHtml {
  return html`<header class="top">
<h1>${statusPill(report.status)} <span>${report.suite ?? 'otel-eval'}</span></h1>
<p class="counts">${countsOf(report)}</p>
${report.resilience === undefined ? null : html`<p class="counts"><b>${plural(report.resilience.runs, 'faulted run')}</b> <a href="#resilience">${resilienceText.counts(report.resilience)}</a></p>`}
<dl class="facts">${factsOf(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>`;
}

const shown: readonly Status[] = ['passed', 'failed', 'error', 'unavailable', 'inconclusive', 'notApplicable'];

function countsOf({ summary }: Report): SafeHtml[] {
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0);
  const parts = shown.filter((status) => summary[status] > 0);
  return [
    html`<b>${plural(total, 'scenario')}</b>`,
    ...parts.map((status) => html`<span class="count ${status}">${summary[status]} ${statusWord(status)}</span>`),
  ];
}

function factsOf({ source, startedAt, durationMs, plan, version, exitCode }: Report): [string, string][] {
  const states = Object.entries(source.completeness).map(([state, count]) => `${count} ${state}`);
  return [
    ['source', source.address === '' ? source.kind : `${source.kind}: ${source.address}`],
    ['evidence', `${plural(source.fetched.traces, 'trace')}, ${plural(source.fetched.spans, 'span')}`],
    ...(states.length === 0 ? [] : [['completeness', states.join(', ')] as [string, string]]),
    ...(plan === undefined ? [] : planFacts(plan)),
    ...(startedAt === undefined
      ? []
      : [['started', startedAt.replace(/\.\d+Z$/, 'Z').replace('T', ' ')] as [string, string]]),
    ...(durationMs === undefined ? [] : [['took', durationText(durationMs)] as [string, string]]),
    ['exit code', String(exitCode)],
    ['otel-eval', version],
  ];
}

function planFacts({ profile, seed, target, models, evidenceLevel }: NonNullable<Report['plan']>): [string, string][] {
  return [
    ['target', `${target.kind} ${target.label}`],
    ...(models.length === 0 ? [] : [['models', models.join(', ')] as [string, string]]),
    ...(profile === null ? [] : [['profile', profile] as [string, string]]),
    ['seed', String(seed)],
    ['level', evidenceLevel.replaceAll('_', ' ')],
  ];
}
