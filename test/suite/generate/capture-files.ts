import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface CaptureFiles {
  /** `ai-7.0.173/s2`. */
  readonly name: string;
  readonly files: readonly string[];
}

/** Every capture of a framework that left spans behind, with its logs where it has some. */
export function captureFiles(folder: string): CaptureFiles[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.truth.json'))
    .sort()
    .map((path) => {
      const name = path.replace(/\.truth\.json$/, '');
      const base = join(folder, name);
      const traces = [`${base}.otlp.json`, `${base}.otlp.jsonl`].filter(existsSync);
      const logs = [`${base}.other-signals.otlp.jsonl`].filter(existsSync);
      return { name, files: traces.length === 0 ? [] : [...traces, ...logs] };
    })
    .filter(({ files }) => files.length > 0);
}
