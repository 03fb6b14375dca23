import { expect, test } from 'vitest';
import type { Span } from '../../src/trace/span.ts';
import type { CollectedTrace, Collector } from '../../src/trace/trace-set.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { collected } from './polling-run.ts';

/** One way to get at traces, as the contract drives it. */
export interface ContractSubject {
  readonly name: string;
  /** A collector over a place that holds just these rows. */
  open(rows: readonly Span[]): Promise<Collector>;
  /** Puts further rows into the place that was opened last. */
  add(rows: readonly Span[]): Promise<void>;
}

const traceId = (number: number) => number.toString(16).padStart(32, '0');

/** A proven trace of three spans. */
export function provenTrace(number: number): Span[] {
  const process = new StampedProcess({ processor: number.toString(16).padStart(8, '0') });
  process
    .start(id(1))
    .run(id(2), { parent: id(1) })
    .run(id(3), { parent: id(1) });
  return process.end(id(1)).exported.map((span) => ({ ...span, traceId: traceId(number) }));
}

async function states(collector: Collector): Promise<string[]> {
  const found: string[] = [];
  for await (const group of (await collector.collect()).groups()) {
    for (const { trace, completeness } of group) found.push(`${trace.spans.length} ${completeness.state}`);
  }
  return found;
}

const ids = (spans: readonly Span[]) => spans.map(({ spanId }) => spanId).sort();

/** What holds for every collector, wherever its traces are. */
export function collectorContract({ name, open, add }: ContractSubject): void {
  test(`${name}: empty`, async () => {
    const { failure, traces } = await collected(await open([]));
    expect([failure, traces.reduce((sum, { trace }) => sum + trace.spans.length, 0)]).toEqual([undefined, 0]);
  });

  test(`${name}: one, whole and proven`, async () => {
    const rows = provenTrace(1);
    const { failure, traces } = await collected(await open(rows));
    expect(failure).toBeUndefined();
    expect(traces.map(({ trace, completeness }) => [trace.traceId, ids(trace.spans), completeness.state])).toEqual([
      [traceId(1), ids(rows), 'proven'],
    ]);
  });

  test(`${name}: many, each once`, async () => {
    const { traces } = await collected(await open(Array.from({ length: 40 }, (_, i) => provenTrace(i + 1)).flat()));
    const found = traces.map(({ trace, completeness }) => `${trace.traceId} ${completeness.state}`);
    expect(found.sort()).toEqual(Array.from({ length: 40 }, (_, i) => `${traceId(i + 1)} proven`));
  });

  test(`${name}: a span that came twice is one span`, async () => {
    const rows = provenTrace(1);
    const { traces } = await collected(await open([...rows, ...rows.slice(0, 1)]));
    expect(traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state])).toEqual([[3, 'proven']]);
    expect(traces[0]?.trace.duplicates.filter(({ same }) => !same)).toEqual([]);
  });

  test(`${name}: a span that is missing is missed`, async () => {
    const { traces } = await collected(await open(provenTrace(1).slice(1)));
    expect(traces.map(({ completeness }) => completeness.state)).toEqual(['short']);
  });

  test(`${name}: late, what comes after a first reading is in the next, and is not lost after`, async () => {
    const rows = provenTrace(1);
    const collector = await open(rows.slice(0, 2));
    expect(await states(collector)).toEqual(['2 broken']);
    await add(rows.slice(2));
    expect(await states(collector)).toEqual(['3 proven']);
    expect(await states(collector)).toEqual(['3 proven']);
    await collector.close();
  });

  test(`${name}: a span that came again with another content is a conflict, also when it came late`, async () => {
    const rows = provenTrace(1);
    const collector = await open(rows);
    await add(rows.slice(0, 1).map((span) => ({ ...span, name: 'rewritten' })));
    const traces: CollectedTrace[] = [];
    for await (const group of (await collector.collect()).groups()) traces.push(...group);
    expect(traces.flatMap(({ trace }) => trace.duplicates.map(({ same }) => same))).toEqual([false]);
    await collector.close();
  });

  test(`${name}: aborted before it began, and closed twice`, async () => {
    const collector = await open(provenTrace(1));
    const collecting = collector
      .collect(AbortSignal.abort(new Error('enough')))
      .then(async (collection) => {
        for await (const _ of collection.groups()) return 'read';
        return 'ended';
      })
      .catch(() => 'stopped');
    expect(await collecting).not.toBe('ended');
    await collector.close();
    await collector.close();
  });
}
