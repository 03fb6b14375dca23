import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const styles = ['colours', 'text', 'toolbar', 'report', 'waterfall', 'depths', 'tables', 'media'];
const behaviours = ['tree', 'search', 'marks'];

export function pageStyle(): string {
  return styles.map((name) => pageAssetText(`${name}.css`)).join('\n');
}

export function pageBehaviour(): string {
  return ["'use strict';", ...behaviours.map((name) => pageAssetText(`${name}.js`))].join('\n');
}

/**
 * Style and behaviour of a page are kept as files of their own kind. The package holds its sources: they are found by the
 * package's name, since sources and build output lie at different depths.
 */
export function pageAssetText(name: string): string {
  const root = dirname(createRequire(import.meta.url).resolve('otel-eval/package.json'));
  return readFileSync(join(root, 'src', 'report', 'html', 'page', name), 'utf8');
}
