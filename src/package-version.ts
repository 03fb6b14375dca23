import { createRequire } from 'node:module';

/** Version of this package. Found by its name, since sources and build output lie at different depths. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('otel-eval/package.json') as { version: string };
  return version;
}
