import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a test with a temporary folder that nobody else writes to, and says what was left in it: other tests that run beside
 * this one use the machine's.
 */
export async function leftBehindBy(work: () => Promise<void>): Promise<string[]> {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'left-behind-'));
  process.env['TMPDIR'] = folder;
  try {
    await work();
    return readdirSync(folder);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true });
  }
}
