import { expect, test } from 'vitest';
import { ownAttributes } from '../../../src/trace/own-attributes.ts';
import type { Span } from '../../../src/trace/span.ts';
import { id, StampedProcess } from '../../trace/stamped-process.ts';
import { tempoAgainst } from '../polling-run.ts';
import { json, type ServedRequest } from '../replay-server.ts';
import { tempoAnswer } from '../tempo-answer.ts';
import type { VirtualClock } from '../virtual-clock.ts';

const trace = (number: number) => number.toString(16).padStart(32, '0');

/** One proven span of a run, in a trace of its own. */
function traceOfRun(number: number, runId: string | undefined, endUnixMs?: number): Span[] {
  const attributes = runId === undefined ? {} : { [ownAttributes.runId]: runId };
  const process = new StampedProcess({ processor: number.toString(16).padStart(8, '0') });
  const { exported } = process.run(id(number), { attributes });
  const end = endUnixMs === undefined ? {} : { endUnixNano: BigInt(endUnixMs) * 1_000_000n };
  return exported.map((span) => ({ ...span, traceId: trace(number), ...end }));
}

const runs = new Map([
  [1, 'r-1'],
  [2, undefined],
  [3, 'r-2'],
  [4, 'r-1'],
  [5, 'r-1'],
]);

const byId = ({ path }: ServedRequest) => {
  const number = Number.parseInt(path.split('/').at(-1) ?? '', 16);
  return tempoAnswer(traceOfRun(number, runs.get(number)));
};

const traceIds = [...runs.keys()].map(trace);

const idsOf = (groups: readonly (readonly { trace: { traceId: string }; replaces?: true }[])[]) =>
  groups.map((group) =>
    group.map((each) => (each.replaces === true ? 'again ' : '') + Number.parseInt(each.trace.traceId, 16)),
  );

test('traces of one run come as one group, once', async () => {
  const { groups, server } = await tempoAgainst(byId, { traceIds });
  expect(idsOf(groups).sort()).toEqual([['1', '4', '5'], ['2'], ['3']]);
  expect(server.requests.length).toBe(5);
});

test('early: each at once; a run that turns out to have several traces comes again, whole', async () => {
  const { groups, server } = await tempoAgainst(byId, { traceIds, early: true, concurrency: 1 });
  expect(idsOf(groups)).toEqual([['1'], ['2'], ['3'], ['again 1', '4', '5']]);
  expect(server.requests.length).toBe(6);
});

test('a run that has just ended is searched for again, when search can show all of it', async () => {
  const searchable = (clock: VirtualClock) => (clock.nowMs() < 30_000 ? [1] : [1, 4]);
  const { groups, clock } = await tempoAgainst(
    (request, _, clock) => {
      if (request.path !== '/api/search') {
        const number = Number.parseInt(request.path.split('/').at(-1) ?? '', 16);
        return tempoAnswer(traceOfRun(number, 'r-1', now - 5_000));
      }
      return json({ traces: searchable(clock).map((number) => ({ traceID: number.toString(16) })) });
    },
    { runId: 'r-1' },
  );
  expect(idsOf(groups)).toEqual([['1', '4']]);
  // 45 s after the end of its newest span, which was 5 s ago.
  expect(Math.floor(clock.nowMs() / 1_000)).toBe(40);
});

test('a run that ended long ago is found at once', async () => {
  const { groups, clock } = await tempoAgainst(
    (request) => (request.path === '/api/search' ? json({ traces: [{ traceID: '1' }] }) : byId(request)),
    { runId: 'r-1' },
  );
  expect(idsOf(groups)).toEqual([['1']]);
  expect(clock.nowMs()).toBe(0);
});

test('what never shows up is waited for until the deadline, unless its window has closed', async () => {
  const nothing = () => json({ traces: [] });
  const awaited = await tempoAgainst(nothing, { runId: 'r-9', deadlineMs: 90_000 });
  expect([awaited.traces.length, awaited.failure, Math.round(awaited.clock.nowMs() / 10_000)]).toEqual([
    0,
    undefined,
    9,
  ]);
  const listed = await tempoAgainst(nothing, { service: 'x', settleMs: 0 });
  expect([listed.traces.length, Math.round(listed.clock.nowMs() / 10_000)]).toEqual([0, 12]);
  const closed = await tempoAgainst(nothing, { runId: 'r-9', untilUnixMs: Date.UTC(2026, 10, 30, 14) });
  expect(closed.clock.nowMs()).toBe(0);
});

const now = Date.UTC(2026, 10, 30, 15);

test('traces of a service that have just ended: search is given time to show their company, and no more', async () => {
  // One agent run after the other, each searchable 28 s after it ended; the first three before the search began.
  const endMs = (number: number) => now - 10_000 + number * 3_000;
  const { groups, clock: after } = await tempoAgainst(
    ({ path }, _, clock) => {
      if (path !== '/api/search') {
        const number = Number.parseInt(path.split('/').at(-1) ?? '', 16);
        return tempoAnswer(traceOfRun(number, undefined, endMs(number)));
      }
      const shown = [1, 2, 3, 30, 300].filter((number) => endMs(number) + 28_000 < clock.unixMs());
      return json({ traces: shown.map((number) => ({ traceID: number.toString(16) })) });
    },
    { traceQl: '{ }' },
  );
  expect(idsOf(groups)).toEqual([['1'], ['2'], ['3']]);
  // The third ended one second before the search began, and 45 s later no other can show up.
  expect(Math.floor(after.nowMs() / 1_000)).toBe(44);
});

test('traces of a service that ended long ago are read at once, and once', async () => {
  const { groups, clock, server } = await tempoAgainst(
    ({ path }) =>
      path === '/api/search' ? json({ traces: [{ traceID: '2' }] }) : tempoAnswer(traceOfRun(2, undefined)),
    { traceQl: '{ }' },
  );
  expect([idsOf(groups), clock.nowMs(), server.requests.length]).toEqual([[['2']], 0, 2]);
});

test('a search too near to the deadline says what it may not have seen', async () => {
  const { collection, groups } = await tempoAgainst(
    (request) =>
      request.path === '/api/search' ? json({ traces: [{ traceID: '1' }] }) : tempoAnswer(traceOfRun(1, 'r-1', now)),
    { runId: 'r-1', deadlineMs: 10_000 },
  );
  expect(idsOf(groups)).toEqual([['1']]);
  expect(collection.inputs().flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(['search-too-early']);
});
