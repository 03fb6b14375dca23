import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium of this machine; `undefined` where there is none. */
export const chromiumPath: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find(executable);

/** Why tests that need it are skipped. */
export const withoutChromium = 'no Chromium on the PATH';

export function launch(): Promise<Browser> {
  // Its sandbox needs rights that a container does not give; it opens nothing but what a test wrote.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath!, args, timeout: 600_000 });
}

export interface Opened {
  readonly page: Page;
  /** Everything that the page asked for, itself included. */
  readonly requests: string[];
  /** What the browser complained of: broken scripts, things that the policy kept out. */
  readonly complaints: string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  context.setDefaultTimeout(600_000);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('requestfinished', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => requests.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url, { timeout: 600_000 });
  return { page, requests, complaints };
}
