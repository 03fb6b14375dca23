/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatHtml } from '../../../src/report/html/format-html.ts';
import { runCli, scratchFolder } from '../../cli/run-cli.ts';
import { spanId } from '../../view-builder.ts';
import { faultedReport } from '../faulted-report.ts';
import { chromiumPath, launch, openPage, withoutChromium } from './chromium.ts';
import { longId, longRun, smallRun, writeTraces } from './stories.ts';

/** Machines may be slow. */
const patience = { timeout: 600_000 };
const scratch = scratchFolder();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const urlOf = (name: string): string => pathToFileURL(scratch.file(`${name}.html`)).href;

async function report(name: string, spans: Parameters<typeof writeTraces>[1], code: number): Promise<void> {
  writeTraces(scratch.file(`${name}.json`), spans);
  const result = await runCli(
    [
      ...['check', '--input', `${name}.json`, '--instrumented', 'test', '--html', `${name}.html`],
      ...['--assert', 'ToolSucceeded={"match":{}}', '--assert', 'ExecutionTraceJoined'],
    ],
    { cwd: scratch.path },
  );
  expect(`${result.code} ${result.stderr}`).toBe(`${code} `);
}

/** Rules that axe finds broken with serious or critical impact. */
async function faults(page: Page): Promise<string[]> {
  // The page's own policy keeps out every script but its own: axe comes in through the browser's back door.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // Rows of a long trace are alike, and axe takes minutes for thousands: the first chunk of fifty stands for the others.
    for (const chunk of document.querySelectorAll('.chunk:nth-child(n + 2)')) {
      if (chunk.querySelector('.guilty') === null) chunk.remove();
    }
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** What of the first row that a finding points at is on screen: `seen`, or why not. */
function sight(page: Page): Promise<string> {
  return page.evaluate(() => {
    const row = document.querySelector('.row.guilty');
    if (row === null) return 'no such row';
    const box = row.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight + 1) return `at ${box.top} of ${innerHeight}`;
    const top = document.elementFromPoint(box.left + 60, box.top + box.height / 2);
    return top !== null && row.contains(top) ? 'seen' : `behind ${top?.className}`;
  });
}

describe.skipIf(chromiumPath === undefined)(
  `the HTML report in a browser (skipped when there is ${withoutChromium})`,
  () => {
    let browser: Browser;
    const hugeGuilty = 4_000;

    beforeAll(async () => {
      await report('passing', smallRun(), 0);
      await report('failing', smallRun({ status: 'error' }), 1);
      await report('huge', longRun(5_000, hugeGuilty), 1);
      writeFileSync(scratch.file('faulted.html'), formatHtml(faultedReport()));
      browser = await launch();
    });

    afterAll(async () => {
      await browser?.close();
      scratch.remove();
    });

    test.each(['passing', 'failing', 'huge', 'faulted'])('%s: asks for nothing, and nothing breaks', async (name) => {
      const { page, requests, complaints } = await openPage(browser, urlOf(name));
      expect(requests).toEqual([urlOf(name)]);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test('the policy of the page keeps everything else out', async () => {
      const { page, requests, complaints } = await openPage(browser, urlOf('passing'));
      await page.evaluate(() => {
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:9/pixel.png';
        const script = document.createElement('script');
        script.textContent = 'document.title = "taken over"';
        document.body.append(image, script);
      });
      expect(await page.title()).toBe('passed · otel-eval');
      await expect.poll(() => complaints.length, patience).toBe(2);
      expect(complaints.every((each) => each.includes('Content Security Policy'))).toBe(true);
      expect(requests).toEqual([urlOf('passing'), 'http://127.0.0.1:9/pixel.png: csp']);
      await page.context().close();
    });

    test.each([
      ['passing', 'light'],
      ['passing', 'dark'],
      ['failing', 'light'],
      ['failing', 'dark'],
      ['huge', 'light'],
      ['huge', 'dark'],
      ['faulted', 'light'],
      ['faulted', 'dark'],
    ] as const)('%s, %s: no serious fault of accessibility', async (name, colorScheme) => {
      const { page } = await openPage(browser, urlOf(name), { colorScheme });
      expect(await faults(page)).toEqual([]);
      await page.context().close();
    });

    test.each(['failing', 'huge', 'faulted'])(
      '%s, on 320 points: no serious fault of accessibility, nothing wider than the screen',
      async (name) => {
        const { page } = await openPage(browser, urlOf(name), { viewport: { width: 320, height: 640 } });
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([await faults(page), width]).toEqual([[], 320]);
        // What does not fit into its cell would be cut off there.
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('.axis span, .row .t')]
            .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth)
            .map(({ textContent }) => textContent),
        );
        expect(cut.slice(0, 5)).toEqual([]);
        await page.context().close();
      },
    );

    test('faulted: resilience is one click away, and a phone shows it without moving the page sideways', async () => {
      const { page } = await openPage(browser, urlOf('faulted'), { viewport: { width: 390, height: 700 } });
      await page.click('a[href="#resilience"]');
      const shown = await page.evaluate(() => ({
        heading: document.querySelector('#resilience h2')?.textContent,
        inSight: (document.querySelector('#resilience h2')?.getBoundingClientRect().top ?? -1) >= 0,
        sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        rows: document.querySelectorAll('#resilience tbody tr').length,
      }));
      expect(shown).toEqual({ heading: 'Resilience', inSight: true, sideways: false, rows: 3 });
      await page.context().close();
    });

    test('both colour schemes are there', async () => {
      const shades: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await openPage(browser, urlOf('failing'), { colorScheme });
        shades.push(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor));
        await page.context().close();
      }
      expect(shades).toEqual(['rgb(246, 247, 249)', 'rgb(17, 20, 26)']);
    });

    test.each(['failing', 'huge'])('%s: the guilty span is on screen, and the page was not scrolled', async (name) => {
      const { page } = await openPage(browser, urlOf(name));
      expect(await sight(page)).toBe('seen');
      expect(await page.evaluate(() => scrollY)).toBe(0);
      const picked = page.locator('.details:visible');
      expect(await picked.textContent()).toContain(spanId(name === 'huge' ? longId(hugeGuilty) : '3'));
      await page.context().close();
    });

    test('on a narrow screen too, after the page has put it there', async () => {
      const { page } = await openPage(browser, urlOf('failing'), { viewport: { width: 390, height: 700 } });
      expect(await sight(page)).toBe('seen');
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider).toBeLessThanOrEqual(0);
      await page.context().close();
    });

    test('of 5,000 rows only those near the window are laid out', async () => {
      const { page } = await openPage(browser, urlOf('huge'));
      const [all, laidOut] = await page.evaluate(() => {
        const rows = [...document.querySelectorAll('.row')];
        return [rows.length, rows.filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length];
      });
      expect(all).toBe(5_000);
      expect(laidOut).toBeGreaterThan(10);
      expect(laidOut).toBeLessThan(500);
      await page.context().close();
    });

    test('the keyboard walks through the spans, folds them, and tells of them', async () => {
      const { page } = await openPage(browser, urlOf('failing'));
      const focused = (): Promise<string> =>
        page.evaluate(() => document.activeElement?.querySelector('.n')?.firstChild?.textContent?.trim() ?? '');
      const press = async (key: string): Promise<string> => {
        await page.keyboard.press(key);
        return focused();
      };
      expect(await press('n')).toBe('✗');
      expect(await press('ArrowDown')).toBe('chat toy');
      expect(await page.locator('.details').textContent()).toContain('starts at630.000 mstook260.000 ms');
      expect(await page.locator('.details').textContent()).toContain('input tokens12');
      expect(await press('Home')).toBe('invoke_agent helper');
      await page.keyboard.press('ArrowLeft');
      expect(await page.locator('.row:visible').count()).toBe(1);
      await page.keyboard.press('ArrowRight');
      expect(await page.locator('.row:visible').count()).toBe(4);
      expect(await press('ArrowRight')).toBe('chat toy');
      expect(await press('ArrowLeft')).toBe('invoke_agent helper');
      expect(await press('End')).toBe('chat toy');
      await page.keyboard.press('/');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
      await page.context().close();
    });

    test('a span named in a finding leads to its row', async () => {
      const { page } = await openPage(browser, urlOf('failing'));
      await page.locator('.row').last().click();
      expect(await page.locator('[aria-selected]').textContent()).toContain('chat toy');
      await page.locator('button.span').first().click();
      expect(await page.locator('[aria-selected]').textContent()).toContain('issue_refund');
      await page.context().close();
    });

    test('the search shows what fits, and how much that is', async () => {
      const { page } = await openPage(browser, urlOf('huge'));
      const found = page.locator('#found');
      await page.locator('#search').fill('lookup');
      await expect.poll(() => found.textContent(), patience).toBe('2,500 spans in 1 scenario');
      await page.locator('#search').fill(spanId(longId(77)).toUpperCase());
      await expect.poll(() => found.textContent(), patience).toBe('1 span in 1 scenario');
      await page.keyboard.press('Enter');
      expect(await page.locator('.details').textContent()).toContain(spanId(longId(77)));
      await page.locator('#search').fill('toolsucceeded');
      await expect.poll(() => found.textContent(), patience).toBe('0 spans in 1 scenario');
      await page.locator('#search').fill('no such thing');
      await expect.poll(() => page.locator('.nothing').isVisible(), patience).toBe(true);
      await page.keyboard.press('Escape');
      expect(await page.locator('.nothing').isVisible()).toBe(false);
      expect(await page.evaluate(() => document.querySelectorAll('.row[hidden]').length)).toBe(0);
      await page.context().close();
    });

    test('on paper: the guilty span and what is around it, no search, nothing cut off', async () => {
      const { page } = await openPage(browser, urlOf('huge'));
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.toolbar').isVisible()).toBe(false);
      const printed = await page.evaluate(
        () => [...document.querySelectorAll('.row')].filter((row) => row.checkVisibility()).length,
      );
      expect(printed).toBeGreaterThan(50);
      expect(printed).toBeLessThan(130);
      expect(await page.locator('.row.guilty').isVisible()).toBe(true);
      const cut = await page.evaluate(() => {
        const rows = document.querySelector('.rows')!;
        return rows.scrollHeight - rows.clientHeight;
      });
      expect(cut).toBeLessThanOrEqual(1);
      await page.context().close();
    });

    test('without scripts everything can still be read', async () => {
      const { page } = await openPage(browser, urlOf('failing'), { javaScriptEnabled: false });
      expect(await page.locator('.row.guilty').isVisible()).toBe(true);
      expect(await page.locator('.toolbar').isVisible()).toBe(false);
      expect(await page.locator('.code').first().textContent()).toBe('tool-succeeded/failed-calls');
      await page.context().close();
    });

    test('hostile names are text', async () => {
      const input = join(import.meta.dirname, '../../../fixtures/inputs/report-01-hostile-text.json');
      await runCli(['check', '--input', input, '--assert', 'ExecutionTraceJoined', '--html', 'hostile.html'], {
        cwd: scratch.path,
      });
      const { page, requests, complaints } = await openPage(browser, urlOf('hostile'));
      expect(complaints).toEqual([]);
      expect(requests).toEqual([urlOf('hostile')]);
      expect(await page.locator('script').count()).toBe(2);
      await page.context().close();
    });
  },
);
