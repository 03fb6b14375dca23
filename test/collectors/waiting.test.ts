import { describe, expect, test } from 'vitest';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { Span } from '../../src/trace/span.ts';
import { id, StampedProcess } from '../trace/stamped-process.ts';
import { type Against, tempoAgainst } from './polling-run.ts';
import { json } from './replay-server.ts';
import { tempoAnswer } from './tempo-answer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';

function agent(stamps: boolean): Span[] {
  const process = new StampedProcess({ stamps });
  process
    .start(id(1))
    .run(id(2), { parent: id(1) })
    .run(id(3), { parent: id(1) });
  return process.end(id(1)).exported;
}

const [second, third, root] = agent(false) as [Span, Span, Span];

/** Answers in order, the last one again and again. */
function answers(...list: readonly (readonly Span[])[]) {
  return (_: unknown, count: number) => tempoAnswer(list[Math.min(count, list.length) - 1] ?? []);
}

function outcome({ traces }: Against) {
  return traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state, completeness.reasons]);
}

function failed({ failure, server }: Against) {
  return OtelEvalError.is(failure) ? [failure.code, failure.message.replace(server.url, 'URL')] : failure;
}

const waited = 'no span came for as long as was waited';
const noReceipt = 'no span carries a receipt';

test('proven by its receipt: one request, no waiting', async () => {
  const result = await tempoAgainst(() => tempoAnswer(agent(true)), { traceIds: [traceId] });
  expect(outcome(result)).toEqual([[3, 'proven', ['the receipt says 3']]]);
  expect([result.server.requests.length, result.clock.nowMs()]).toEqual([1, 0]);
});

test('settled: three polls over six seconds', async () => {
  const result = await tempoAgainst(answers([second, third, root]), { traceIds: [traceId] });
  expect(outcome(result)).toEqual([[3, 'settled', [waited, noReceipt]]]);
  expect([result.server.requests.length, Math.floor(result.clock.nowMs() / 1_000)]).toEqual([3, 6]);
});

test('--settle: longer, shorter, not at all', async () => {
  const after = async (settleMs: number) => {
    const { server, clock } = await tempoAgainst(answers([root]), { traceIds: [traceId], settleMs });
    return [server.requests.length, Math.floor(clock.nowMs() / 1_000)];
  };
  expect(await after(30_000)).toEqual([3, 30]);
  expect(await after(1_000)).toEqual([3, 1]);
  expect(await after(0)).toEqual([1, 0]);
});

test('a trace that grows after its root is waited for anew', async () => {
  const result = await tempoAgainst(answers([root], [root], [root, second], [root, second, third]), {
    traceIds: [traceId],
  });
  expect(outcome(result)).toEqual([[3, 'settled', [waited, noReceipt]]]);
  expect(result.server.requests.length).toBe(6);
});

test('a trace that shrinks keeps what was seen, and is settled only when it is whole again', async () => {
  const all = [root, second, third];
  const whole = await tempoAgainst(answers(all, [root], [], all), { traceIds: [traceId] });
  expect(outcome(whole)).toEqual([[3, 'settled', [waited, noReceipt]]]);
  const gone = await tempoAgainst(answers(all, [root], []), { traceIds: [traceId], deadlineMs: 20_000 });
  expect(outcome(gone)).toEqual([[3, 'growing', ['spans may still come', noReceipt]]]);
});

test('a trace that never gets complete: broken at the deadline, with what is missing', async () => {
  const result = await tempoAgainst(answers([second, third]), { traceIds: [traceId], deadlineMs: 20_000 });
  expect(outcome(result)).toEqual([
    [2, 'broken', [`2 spans whose parent is missing: ${id(1)}`, 'no root span', noReceipt]],
  ]);
  expect(result.clock.nowMs()).toBeGreaterThan(17_000);
  expect(result.clock.nowMs()).toBeLessThanOrEqual(20_000);
});

test('a receipt that does not match: short at the deadline, proven when the span comes', async () => {
  const spans = agent(true);
  const short = await tempoAgainst(answers(spans.slice(1)), { traceIds: [traceId], deadlineMs: 20_000 });
  expect(outcome(short)).toEqual([[2, 'short', ['1 span missing: a receipt says 3, 2 are here']]]);
  const late = await tempoAgainst(answers(spans.slice(1), spans.slice(1), spans), { traceIds: [traceId] });
  expect(outcome(late)).toEqual([[3, 'proven', ['the receipt says 3']]]);
  expect(late.server.requests.length).toBe(3);
});

test('declared services and spans are waited for', async () => {
  const other = new StampedProcess({ service: 'tools', processor: '00000001' }).run(id(9), { parent: id(2) }).exported;
  const spans = agent(true);
  const both = await tempoAgainst(answers(spans, spans, [...spans, ...other]), {
    traceIds: [traceId],
    expectations: { services: ['agent', 'tools'] },
  });
  expect(outcome(both)).toEqual([[4, 'proven', ['2 receipts say 4']]]);
  const counted = await tempoAgainst(answers([root], [root, second, third]), {
    traceIds: [traceId],
    expectations: { spans: 3 },
  });
  expect(outcome(counted)).toEqual([[3, 'settled', [waited, noReceipt]]]);
});

test('what is decided is not waited for', async () => {
  const seen: number[] = [];
  const result = await tempoAgainst(answers([second], [second, third], [root, second, third]), {
    traceIds: [traceId],
    decided: ([each]) => {
      seen.push(each?.trace.spans.length ?? 0);
      return each?.trace.spansById.has(id(3)) === true;
    },
  });
  expect(seen).toEqual([1, 2]);
  expect(result.traces[0]?.completeness.state).toBe('broken');
  expect(result.server.requests.length).toBe(2);
});

test('partial is given time to become whole', async () => {
  const partial = (_: unknown, count: number) =>
    tempoAnswer([root], count < 3 ? { status: 'PARTIAL', message: 'some querier was busy' } : {});
  expect(outcome(await tempoAgainst(partial, { traceIds: [traceId] }))).toEqual([[1, 'settled', [waited, noReceipt]]]);
  const forever = await tempoAgainst(() => tempoAnswer([root], { status: 'PARTIAL', message: 'so it is' }), {
    traceIds: [traceId],
  });
  expect(outcome(forever)).toEqual([[1, 'partial', ['the server says that it gave a part of the trace']]]);
});

test('the server dies half-way: what came is judged, and the failure is told', async () => {
  const dying = (_: unknown, count: number) => (count === 1 ? tempoAnswer([root, second]) : ('refuse' as const));
  const result = await tempoAgainst(dying, { traceIds: [traceId], deadlineMs: 20_000 });
  expect(result.traces.map(({ trace, completeness }) => [trace.spans.length, completeness.state])).toEqual([
    [2, 'growing'],
  ]);
  expect(failed(result)).toEqual([
    'OTEL_EVAL_UNAVAILABLE',
    expect.stringMatching(
      /^URL: no answer before the deadline, after \d+ tries; last: (connection reset|connection closed before the answer was whole)$/,
    ),
  ]);
  expect(result.clock.nowMs()).toBeLessThanOrEqual(20_000);
});

test('the server comes back', async () => {
  const flapping = (_: unknown, count: number) =>
    count % 2 === 1 ? ('refuse' as const) : tempoAnswer([root, second, third]);
  const result = await tempoAgainst(flapping, { traceIds: [traceId] });
  expect(outcome(result)).toEqual([[3, 'settled', [waited, noReceipt]]]);
});

test('an answer that is cut off is asked for again', async () => {
  const cut = (_: unknown, count: number) => ({ ...tempoAnswer(agent(true)), cutOff: count < 3 });
  const result = await tempoAgainst(cut, { traceIds: [traceId] });
  expect(outcome(result)).toEqual([[3, 'proven', ['the receipt says 3']]]);
  expect(result.server.requests.length).toBe(3);
});

test('a connection that hangs is given up after a silence, and asked again', async () => {
  const hanging = (_: unknown, count: number) => (count < 3 ? ('hang' as const) : tempoAnswer(agent(true)));
  const result = await tempoAgainst(hanging, { traceIds: [traceId] });
  expect(outcome(result)).toEqual([[3, 'proven', ['the receipt says 3']]]);
  expect(result.clock.nowMs()).toBeGreaterThanOrEqual(30_000);
  const forever = await tempoAgainst(() => 'hang', { traceIds: [traceId] });
  expect(failed(forever)).toEqual([
    'OTEL_EVAL_UNAVAILABLE',
    expect.stringMatching(/^URL: no answer before the deadline, after 4 tries; last: no answer within \d+(\.\d+)? s$/),
  ]);
  expect(forever.clock.nowMs()).toBeLessThanOrEqual(60_000);
});

test('429 with Retry-After is honoured, in seconds and as a date', async () => {
  for (const after of ['7', 'Mon, 30 Nov 2026 15:00:07 GMT']) {
    const limited = (_: unknown, count: number) =>
      count === 1 ? { status: 429, headers: { 'retry-after': after }, body: 'slow down' } : tempoAnswer(agent(true));
    const result = await tempoAgainst(limited, { traceIds: [traceId] });
    expect(outcome(result)).toEqual([[3, 'proven', ['the receipt says 3']]]);
    // Seven seconds and half of the first back-off of 200 ms.
    expect(result.clock.slept).toEqual([7_100]);
  }
  const never = await tempoAgainst(() => ({ status: 429, headers: { 'retry-after': '3600' } }), {
    traceIds: [traceId],
  });
  expect(failed(never)).toEqual([
    'OTEL_EVAL_UNAVAILABLE',
    'URL: no answer before the deadline, after 1 try; last: HTTP 429, and asks to wait 3600 s',
  ]);
  expect(never.clock.nowMs()).toBe(0);
});

test('retries back off with full jitter', async () => {
  const slept = async (random: number) => {
    const busy = (_: unknown, count: number) => (count <= 7 ? { status: 503 } : tempoAnswer(agent(true)));
    const { clock } = await tempoAgainst(busy, { traceIds: [traceId], random: () => random });
    return clock.slept.map(Math.round);
  };
  expect(await slept(1)).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(await slept(0.25)).toEqual([50, 100, 200, 400, 800, 1_250, 1_250]);
});

test('one deadline for all traces', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => (i + 1).toString(16).padStart(32, '0'));
  const result = await tempoAgainst(() => tempoAnswer([]), { traceIds: ids, deadlineMs: 10_000 });
  expect(result.traces.map(({ completeness }) => completeness.state)).toEqual(ids.map(() => 'not-found'));
  expect(result.clock.nowMs()).toBeLessThanOrEqual(10_000);
  expect(result.failure).toBeUndefined();
});

describe('our own deadline comes while a question is under way', () => {
  const once = (first: ReturnType<typeof tempoAnswer>) => (_: unknown, count: number) =>
    count === 1 ? first : ('hang' as const);

  test('what the server had answered before stands: it is not unavailable', async () => {
    const none = await tempoAgainst(once(tempoAnswer([])), { traceIds: [traceId], deadlineMs: 5_000 });
    expect([none.failure, outcome(none)]).toEqual([
      undefined,
      [[0, 'not-found', [expect.stringContaining('no span')]]],
    ]);
    const some = await tempoAgainst(once(tempoAnswer([root])), { traceIds: [traceId], deadlineMs: 5_000 });
    expect([some.failure, some.traces[0]?.completeness.state]).toEqual([undefined, 'growing']);
    const search = (_: unknown, count: number) => (count === 1 ? json({ traces: [] }) : ('hang' as const));
    const found = await tempoAgainst(search, { service: 'x', deadlineMs: 5_000 });
    expect([found.failure, found.traces]).toEqual([undefined, []]);
  });

  test('a server that is silent for long enough, or never answered, is unavailable', async () => {
    const silent = await tempoAgainst(once(tempoAnswer([])), { traceIds: [traceId], deadlineMs: 40_000 });
    expect(failed(silent)).toEqual(['OTEL_EVAL_UNAVAILABLE', expect.stringMatching(/after 3 tries; last: no answer/)]);
    const never = await tempoAgainst(() => 'hang', { traceIds: [traceId], deadlineMs: 5_000 });
    expect(failed(never)).toEqual([
      'OTEL_EVAL_UNAVAILABLE',
      'URL: no answer before the deadline, after 1 try; last: no answer within 5 s',
    ]);
  });
});
