import { describe, expect, test } from 'vitest';
import { formatMarkdown } from '../../src/report/format-markdown.ts';
import { formatTerminal } from '../../src/report/format-terminal.ts';
import { formatHtml } from '../../src/report/html/format-html.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import { faultedReport, faultedScenario, faultedScenarios, faultedTrial } from './faulted-report.ts';
import { sampleReport } from './sample-report.ts';

const golden = (name: string): string => `golden/${name}`;

/** What a section of the page says, less its markup. */
function told(page: string, id: string): string {
  const section = new RegExp(`<section[^>]*id="${id}">([\\s\\S]*?)</section>`).exec(page)?.[1] ?? '';
  return section
    .replace(/<\/(t[hd])>/g, ' | ')
    .replace(/<\/(tr|p|li|h[23])>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

describe('resilience in reports', () => {
  const report = faultedReport();

  test('is in the schema of reports, flags among it', () => {
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.resilience?.flags).toEqual({ blind_retry: 2, grounded: 1, over_budget: 1 });
  });

  test('terminal, golden', async () => {
    const lines = formatTerminal(report, { columns: 100 }).split('\n');
    const from = lines.findIndex((line) => line.startsWith('resilience'));
    const block = lines.slice(from, lines.indexOf('', from));
    await expect(`${block.join('\n')}\n`).toMatchFileSnapshot(golden('resilience-terminal.golden.txt'));
  });

  test('Markdown, golden: faulted scenarios stand in a table of their own', async () => {
    const markdown = formatMarkdown(report);
    await expect(markdown.slice(0, markdown.indexOf('<details>'))).toMatchFileSnapshot(golden('resilience.golden.md'));
    const [rates = ''] = markdown.split('### Resilience');
    expect(rates).toContain('| ✓ passed | books a slot | 1 of 1 trials passed |');
    expect(rates).not.toContain('#above');
  });

  test('HTML, golden', async () => {
    const page = formatHtml(report);
    await expect(`${told(page, 'resilience')}\n`).toMatchFileSnapshot(golden('resilience-html.golden.txt'));
    const top = page.slice(page.indexOf('<header'), page.indexOf('</header>'));
    expect(top).toContain('<b>1 scenario</b>');
    expect(top).toContain('<b>7 faulted runs</b>');
  });

  test('R4-38: what agents make of faults moves no success rate, in no format', () => {
    const worse = faultedReport([
      faultedScenario('books a slot#above', { mode: 'single' }, [faultedTrial(1, { label: 'failed' })]),
    ]);
    expect(worse.resilience?.labels).not.toEqual(report.resilience?.labels);
    const rates = (markdown: string): string => markdown.slice(0, markdown.indexOf('### Resilience'));
    expect(rates(formatMarkdown(worse))).toBe(rates(formatMarkdown(report)));
    const counts = (page: string): string => /<p class="counts"><b>\d+ scenario.*?<\/p>/.exec(page)?.[0] ?? '';
    expect(counts(formatHtml(worse))).toBe(counts(formatHtml(report)));
    expect(counts(formatHtml(report))).toContain('1 passed');
  });

  test('R4-03: without faults there is no such section, not even an empty one', () => {
    for (const text of [formatMarkdown(sampleReport), formatHtml(sampleReport), formatTerminal(sampleReport)]) {
      expect(text.slice(text.indexOf('<body>'))).not.toMatch(/resilience/i);
    }
  });

  test('R4-06: a row that ran once is one observation, and every format says so', () => {
    const [row] = faultedScenarios;
    const once = faultedReport([
      faultedScenario('books a slot#above', {}, [faultedTrial(1, { label: 'recovered' })]),
      row!,
    ]);
    const sentence = '1 of 2 rows ran once: one faulted run is one observation, and no proof';
    expect(formatTerminal(once)).toContain(`  ${sentence}\n`);
    expect(formatMarkdown(once)).toContain(`- ${sentence}\n`);
    expect(told(formatHtml(once), 'resilience')).toContain(sentence);
    for (const text of [formatTerminal(report), formatMarkdown(report), formatHtml(report)]) {
      expect(text).not.toContain('one observation');
    }
  });

  test('names of rows are text, never markup', () => {
    const [first] = faultedScenarios;
    const hostile = faultedReport([{ ...first!, name: '<img src=x>|@all' }]);
    expect(formatMarkdown(hostile)).toContain('| &lt;img src=x\\>\\|&#64;all |');
    expect(formatHtml(hostile)).not.toContain('<img');
  });

  test('counts of a plan that does not repeat say so', () => {
    const [first] = faultedScenarios;
    const drawn = faultedReport([{ ...first!, faulted: { ...first!.faulted!, repeatable: false } }]);
    expect(told(formatHtml(drawn), 'resilience')).toContain('do not come again in the same run');
    expect(formatHtml(report)).not.toContain('do not come again');
  });
});
