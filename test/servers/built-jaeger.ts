import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;

/** The Jaeger that `build-jaeger.sh` has built; `undefined` where it has not. */
export function builtJaeger(): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const modules = Buffer.concat(['go.mod', 'go.sum'].map((name) => readFileSync(join(here, name))));
  const [sum = ''] = spawnSync('cksum', { input: modules, encoding: 'utf8' }).stdout?.split(' ') ?? [];
  const binary = join(cache, 'otel-eval', `jaeger-${sum}`, 'jaeger');
  return existsSync(binary) ? binary : undefined;
}

export const withoutJaeger = 'no Jaeger: test/servers/build-jaeger.sh builds one where Go is';
