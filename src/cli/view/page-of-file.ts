import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createRunReader } from '../../agent/run-reader.ts';
import { formatHtml } from '../../report/html/format-html.ts';
import { TracesPage } from '../../report/html/format-traces.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import { readReport } from '../merge.ts';

export interface ServedPage {
  readonly document: string | Buffer;
  /** Made by us just now; else it comes from a file, and may hold anything. */
  readonly ours: boolean;
}

/** A report, an HTML file or traces, as a page. Read anew each time. */
export async function pageOfFile(path: string, cwd: string): Promise<ServedPage> {
  const start = await firstCharacters(resolve(cwd, path));
  if (/^\s*<(!doctype|html)/i.test(start)) return { document: await readFile(resolve(cwd, path)), ours: false };
  if (/"schema"\s*:\s*"otel-eval\/report\//.test(start)) {
    return { document: formatHtml(await readReport(path, cwd)), ours: true };
  }
  return { document: await tracesOf(path, cwd), ours: true };
}

async function firstCharacters(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function tracesOf(path: string, cwd: string): Promise<string> {
  const { otlpFileCollector } = await import('../../../collectors/otlp-file.ts');
  const collector = otlpFileCollector({ inputs: [resolve(cwd, path)] });
  const page = new TracesPage();
  const reader = createRunReader({ oneRun: false });
  const known = new Map<string, CollectedTrace>();
  const draw = (runs: ReturnType<typeof reader.end>): void => {
    for (const run of runs) {
      page.add(
        run,
        run.traces.flatMap(({ traceId }) => known.get(traceId) ?? []),
      );
      for (const { traceId } of run.traces) known.delete(traceId);
    }
  };
  try {
    const collection = await collector.collect();
    for await (const group of collection.groups()) {
      for (const collected of group) known.set(collected.trace.traceId, collected);
      draw(reader.add(group));
    }
    draw(reader.end());
    return page.finish(path, collection.inputs());
  } finally {
    await collector.close();
  }
}
