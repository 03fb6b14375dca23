import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * What `install.sh` installed; nothing is installed here. `folder` holds `sdk-2` and `sdk-3`, each with its
 * `node_modules`; `node` is a Node that the newer line runs on; `missing` says why they cannot be used.
 */
export function installedLines() {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const script = readFileSync(join(import.meta.dirname, 'install.sh'));
  const [sum] = execFileSync('cksum', { input: script, encoding: 'utf8' }).split(' ');
  const folder = join(cache, 'otel-eval', `sdk-lines-${sum}`);
  const isThere = existsSync(join(folder, 'complete'));
  const missing = isThere ? undefined : 'not installed; bash test/sdk-lines/install.sh installs them';
  return { folder, node: join(folder, 'node', 'node'), missing };
}
