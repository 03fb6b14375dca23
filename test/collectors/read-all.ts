import { type OtlpFileOptions, otlpFileCollector } from '../../collectors/otlp-file.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { CollectedTrace, InputReading } from '../../src/trace/trace-set.ts';

export interface ReadAll {
  readonly groups: readonly (readonly CollectedTrace[])[];
  readonly traces: readonly CollectedTrace[];
  readonly inputs: readonly InputReading[];
  readonly looseLogs: readonly LogRecord[];
}

/** All that a file collector gives. */
export async function readAll(options: OtlpFileOptions): Promise<ReadAll> {
  const collector = otlpFileCollector(options);
  try {
    const collection = await collector.collect();
    const groups: (readonly CollectedTrace[])[] = [];
    for await (const group of collection.groups()) groups.push(group);
    return { groups, traces: groups.flat(), inputs: collection.inputs(), looseLogs: collection.looseLogs() };
  } finally {
    await collector.close();
  }
}

export interface Counts {
  readonly traces: number;
  readonly spans: number;
  readonly rows: number;
  readonly roots: number;
  readonly orphans: number;
  readonly errors: number;
}

export function countsOf({ traces }: ReadAll): Counts {
  const sum = (count: (trace: CollectedTrace['trace']) => number): number =>
    traces.reduce((total, { trace }) => total + count(trace), 0);
  return {
    traces: traces.length,
    spans: sum((trace) => trace.spans.length),
    rows: sum((trace) => trace.rows),
    roots: sum((trace) => trace.roots.length),
    orphans: sum((trace) => trace.orphans.length),
    errors: sum((trace) => trace.spans.filter((span) => span.status.code === 'error').length),
  };
}
