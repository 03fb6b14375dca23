import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLoopbackHeader } from '../../src/cli/view/loopback.ts';
import { formatJson } from '../../src/report/format-json.ts';
import { formatHtml } from '../../src/report/html/format-html.ts';
import { chromiumPath, launch, openPage, withoutChromium } from '../report/html/chromium.ts';
import { smallRun, writeTraces } from '../report/html/stories.ts';
import { sampleReport } from '../report/sample-report.ts';
import { runCli, scratchFolder } from './run-cli.ts';

/** Machines may be slow. */
const patience = { timeout: 600_000 };
const scratch = scratchFolder();
afterAll(scratch.remove);

interface Served {
  readonly url: string;
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function ask(url: string, headers: Record<string, string>, method: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Runs `view` while a test uses it; then asks it to end. */
async function viewing(args: readonly string[], use: (served: Served) => Promise<void>): Promise<number> {
  const { code } = await runCli(['view', ...args, '--quiet'], {
    cwd: scratch.path,
    stop: async (stdout) => {
      await expect.poll(stdout, patience).toMatch(/^http:\/\/\S+\n$/);
      const url = stdout().trim();
      await use({
        url,
        get: (path, headers = {}, method = 'GET') => ask(new URL(path, url).href, headers, method),
      });
    },
  });
  return code;
}

const report = (suite: string): string => formatJson({ ...sampleReport, suite });

/** Events of the server, as they come. */
async function events(url: string, signal: AbortSignal): Promise<() => string> {
  let text = '';
  const response = await fetch(new URL('/events', url), { signal });
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString('utf8');
  };
  void read().catch(() => {});
  await expect.poll(() => text, patience).toBe(': listening\n\n');
  return () => text;
}

describe('view', () => {
  beforeAll(() => {
    mkdirSync(scratch.file('all'));
    writeFileSync(scratch.file('all/a.json'), report('refund-agent'));
    writeFileSync(scratch.file('all/b.html'), formatHtml(sampleReport));
    writeTraces(scratch.file('all/c.jsonl'), smallRun());
    writeFileSync(scratch.file('all/d.json'), '{"neither": "a report nor a trace"}');
    writeFileSync(scratch.file('all/notes.txt'), 'not for show');
  });

  test('shows reports, HTML and traces, and says what it cannot show', async () => {
    const code = await viewing(['all'], async ({ get }) => {
      const shell = await get('/');
      expect([...shell.body.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
        '/file/0',
        '/file/1',
        '/file/2',
        '/file/3',
      ]);
      expect(shell.body).toContain('<iframe title="all/a.json" src="/page/0">');
      expect((await get('/page/0')).body).toContain('<span>refund-agent</span>');
      expect((await get('/page/1')).headers['content-security-policy']).toMatch(
        /^sandbox allow-scripts; default-src 'none';/,
      );
      const traces = await get('/page/2');
      expect(traces.body.match(/role="treeitem"/g)).toHaveLength(4);
      const broken = await get('/page/3');
      expect([broken.status, broken.headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8']);
      expect(broken.body).toMatch(/^[^\n]*all\/d\.json[^\n]*\n$/);
    });
    expect(code).toBe(0);
  });

  test('answers nobody but this machine, and changes nothing', async () => {
    await viewing(['all/a.json'], async ({ get, url }) => {
      const { host } = new URL(url);
      const statuses = async (headers: Record<string, string>): Promise<number[]> =>
        Promise.all(['/', '/page/0', '/events', '/nothing'].map(async (path) => (await get(path, headers)).status));
      expect(await statuses({ host: 'rebound.example:80' })).toEqual([403, 403, 403, 403]);
      expect(await statuses({ host: `${host}.rebound.example` })).toEqual([403, 403, 403, 403]);
      expect((await get('/page/0', { host: 'localhost' })).status).toBe(200);
      expect((await get('/', {}, 'POST')).status).toBe(405);
      for (const path of ['/page/1', '/page/..%2f..%2fetc%2fpasswd', '/all/a.json', '/page/-1', '/file/99']) {
        expect(`${path} ${(await get(path)).status}`).toBe(`${path} 404`);
      }
      const { headers } = await get('/page/0');
      expect([
        headers['cache-control'],
        headers['cross-origin-resource-policy'],
        headers['x-content-type-options'],
      ]).toEqual(['no-store', 'same-origin', 'nosniff']);
    });
  });

  test('names of this machine', () => {
    const good = ['127.0.0.1', '127.0.0.1:80', 'localhost:4318', 'LOCALHOST', '[::1]:9', '127.8.8.8'];
    const bad = [
      undefined,
      '',
      'example.com',
      '127.0.0.1.example.com',
      'localhost.example.com:80',
      '0.0.0.0',
      '[::2]',
      '10.0.0.1',
      'x@localhost',
    ];
    expect(good.filter((name) => !isLoopbackHeader(name))).toEqual([]);
    expect(bad.filter((name) => isLoopbackHeader(name))).toEqual([]);
  });

  test.each(['0.0.0.0:0', '192.168.1.5:80', 'example.com:80', '8080', 'localhost:99999'])(
    'does not listen on %s',
    async (address) => {
      const { code, stderr } = await runCli(['view', 'all', '--listen', address], { cwd: scratch.path });
      expect(code).toBe(2);
      expect(stderr).toMatch(/expected (HOST:PORT|an address of this machine only), as 127\.0\.0\.1:8080/);
    },
  );

  test('a file that is not there is told at once', async () => {
    const { code, stderr } = await runCli(['view', 'absent.json'], { cwd: scratch.path });
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'otel-eval: cannot read absent.json: no such file']);
  });

  test('tells when a file was written anew, and when files came', async () => {
    mkdirSync(scratch.file('live'));
    writeFileSync(scratch.file('live/a.json'), report('first'));
    await viewing(['live'], async ({ url, get }) => {
      const stop = new AbortController();
      const heard = await events(url, stop.signal);
      // As reports are written: beside it, then in its place.
      writeFileSync(scratch.file('live/.a.tmp'), report('a second, longer name'));
      renameSync(scratch.file('live/.a.tmp'), scratch.file('live/a.json'));
      await expect.poll(heard, patience).toContain('event: changed\ndata: /page/0\n\n');
      expect((await get('/page/0')).body).toContain('<span>a second, longer name</span>');
      writeFileSync(scratch.file('live/b.json'), report('another'));
      await expect.poll(heard, patience).toContain('event: listed\ndata: 2\n\n');
      stop.abort();
    });
  });
});

describe.skipIf(chromiumPath === undefined)(`view in a browser (skipped when there is ${withoutChromium})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('the page is loaded anew when its file changes', async () => {
    writeFileSync(scratch.file('report.json'), report('before'));
    await viewing(['report.json'], async ({ url }) => {
      const { page, complaints } = await openPage(browser, url);
      const heading = page.frameLocator('iframe').locator('h1 span').last();
      await expect.poll(() => heading.textContent(), patience).toBe('before');
      writeFileSync(scratch.file('report.json'), report('after the change'));
      await expect.poll(() => heading.textContent(), patience).toBe('after the change');
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  });

  test('HTML from a file reaches neither the other files nor the page around it', async () => {
    const script = `const told = [];
      try { parent.document.title; told.push('parent'); } catch { told.push('no parent'); }
      fetch('/page/0').then(() => told.push('fetch'), () => told.push('no fetch')).then(() => { document.body.textContent = told.join(', '); });`;
    writeFileSync(
      scratch.file('foreign.html'),
      `<!doctype html><title>x</title><body><script>${script}</script></body>`,
    );
    await viewing(['foreign.html'], async ({ url }) => {
      const { page } = await openPage(browser, url);
      const body = page.frameLocator('iframe').locator('body');
      await expect.poll(() => body.textContent(), patience).toBe('no parent, no fetch');
      await page.context().close();
    });
  });
});
