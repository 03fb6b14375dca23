import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '../src/package-version.ts';

test('the version in the sources is that of the package', () => {
  const manifest = JSON.parse(readFileSync(join(resolve(import.meta.dirname, '..'), 'package.json'), 'utf8'));
  expect(packageVersion()).toBe(manifest.version);
});
