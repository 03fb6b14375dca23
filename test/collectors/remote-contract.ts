import { expect, test } from 'vitest';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Span } from '../../src/trace/span.ts';
import { provenTrace } from './collector-contract.ts';
import type { Against, tempoAgainst } from './polling-run.ts';
import type { Reply } from './replay-server.ts';

export interface RemoteSubject {
  readonly name: string;
  readonly against: typeof tempoAgainst;
  /** What such a server answers by id; no rows: not found. */
  readonly reply: (rows: readonly Span[]) => Reply;
}

const rows = provenTrace(1);
const traceIds = ['1'];

const states = ({ traces }: Against) =>
  traces.map(({ trace, completeness }) => `${trace.spans.length} ${completeness.state}`);
const codeOf = ({ failure }: Against) => (OtelEvalError.is(failure) ? failure.code : failure);

/** What holds for every collector that asks a server, in time that does not pass. */
export function remoteContract({ name, against, reply }: RemoteSubject): void {
  test(`${name}: late, span by span`, async () => {
    const result = await against((_, count) => reply(rows.slice(0, count - 2)), { traceIds });
    expect([states(result), codeOf(result), result.server.requests.length]).toEqual([['3 proven'], undefined, 5]);
  });

  test(`${name}: gone for a while after it was found`, async () => {
    const shown = [2, 0, 1, 0, 3];
    const result = await against((_, count) => reply(rows.slice(0, shown[count - 1])), { traceIds });
    expect([states(result), result.server.requests.length]).toEqual([['3 proven'], 5]);
  });

  test(`${name}: slow, ten seconds for an answer`, async () => {
    const result = await against(
      async (_, _count, clock) => {
        await clock.sleep(10_000);
        return reply(rows);
      },
      { traceIds },
    );
    expect([states(result), result.clock.nowMs()]).toEqual([['3 proven'], 10_000]);
  });

  test(`${name}: slower than the deadline`, async () => {
    const result = await against(
      async (_, _count, clock) => {
        await clock.sleep(14_000);
        return reply([]);
      },
      { traceIds, deadlineMs: 5_000 },
    );
    expect([states(result), codeOf(result)]).toEqual([[], 'OTEL_EVAL_UNAVAILABLE']);
    expect(result.clock.nowMs()).toBeLessThanOrEqual(14_000);
  });

  test(`${name}: a byte a second is no answer at the deadline`, async () => {
    const result = await against((_, _count, clock) => ({ ...reply(rows), beforeEachByte: () => clock.sleep(1_000) }), {
      traceIds,
      deadlineMs: 5_000,
    });
    expect([states(result), codeOf(result)]).toEqual([[], 'OTEL_EVAL_UNAVAILABLE']);
    expect(String((result.failure as Error).message)).toContain('after 1 try; last: its answer did not come to an end');
    expect([result.server.requests.length, Math.floor(result.clock.nowMs() / 1_000)]).toEqual([1, 5]);
  });

  test(`${name}: flapping, every second request is dropped, refused or cut off`, async () => {
    for (const bad of ['refuse', { status: 502 }, { ...reply(rows), cutOff: true }] as const) {
      const result = await against((_, count) => (count % 2 === 1 ? bad : reply(rows.slice(0, count / 2))), {
        traceIds,
      });
      expect([states(result), codeOf(result), result.server.requests.length]).toEqual([['3 proven'], undefined, 6]);
    }
  });

  test(`${name}: dies after a first answer`, async () => {
    const result = await against((_, count) => (count === 1 ? reply(rows.slice(0, 2)) : 'refuse'), { traceIds });
    expect([states(result), codeOf(result)]).toEqual([['2 broken'], 'OTEL_EVAL_UNAVAILABLE']);
  });

  test(`${name}: wrong credentials, asked once`, async () => {
    for (const status of [401, 403]) {
      const result = await against(() => ({ status }), { traceIds: ['1', '2', '3'], concurrency: 1 });
      expect([codeOf(result), states(result), result.server.requests.length]).toEqual(['OTEL_EVAL_AUTH', [], 1]);
    }
  });

  test(`${name}: the credentials expire half-way`, async () => {
    const result = await against((_, count) => (count === 1 ? reply(rows.slice(0, 2)) : { status: 401 }), { traceIds });
    expect([codeOf(result), states(result)]).toEqual(['OTEL_EVAL_AUTH', []]);
  });

  test(`${name}: spans of another trace are named and left out`, async () => {
    const other = provenTrace(2).map((span) => ({ ...span, spanId: span.spanId.replace(/^0/, 'f') }));
    const result = await against(() => reply([...rows, ...other]), { traceIds });
    expect(states(result)).toEqual(['3 proven']);
    expect(result.collection.inputs().flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual([
      'other-trace',
    ]);
  });

  test(`${name}: an answer without end is cut off at the bound`, async () => {
    const result = await against(() => ({ ...reply(rows), body: Buffer.alloc(300_000, 0x20) }), {
      traceIds,
      maxResponseBytes: 100_000,
    });
    expect([states(result), codeOf(result), result.server.requests.length]).toEqual([['0 too-large'], undefined, 1]);
  });
}
