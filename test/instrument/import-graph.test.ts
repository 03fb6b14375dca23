import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');

/** Every module that is loaded at run time with this one; types are not. */
function loadedWith(file: string, seen: Set<string>, packages: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  for (const [, types, to = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (type )?[^;]*?from '([^']+)'/gm,
  )) {
    if (types !== undefined) continue;
    if (to.startsWith('.')) loadedWith(resolve(dirname(file), to), seen, packages);
    else packages.add(to);
  }
}

test('otel-eval/instrument loads the API of OpenTelemetry and nothing else of anybody', () => {
  const seen = new Set<string>();
  const packages = new Set<string>();
  loadedWith(join(root, 'src', 'instrument', 'index.ts'), seen, packages);
  expect([...packages].sort()).toEqual(['@opentelemetry/api', 'node:crypto']);
  const rooms = new Set([...seen].map((file) => relative(root, file).split('/').slice(0, 2).join('/')));
  expect([...rooms].sort()).toEqual(['src/instrument', 'src/trace']);
});
