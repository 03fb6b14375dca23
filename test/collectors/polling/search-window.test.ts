import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hit, searchWindow } from '../../../collectors/polling/search-window.ts';

/** A server that gives any `limit` of what it has, like the real ones. */
function server(starts: readonly number[]) {
  const all = starts.map((startUnixMs, i): Hit => ({ traceId: String(i).padStart(32, '0'), startUnixMs }));
  const asked: [number, number][] = [];
  return {
    all,
    asked,
    hits: async (since: number, until: number, limit: number) => {
      asked.push([since, until]);
      return all.filter(({ startUnixMs }) => startUnixMs >= since && startUnixMs <= until).slice(0, limit);
    },
  };
}

const frame = { sinceUnixMs: 0, untilUnixMs: 100_000, longestMs: 1_000_000, shortestMs: 1_000 };

test('windows are halved until nothing is cut, whatever the times', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 100_000 }), { maxLength: 80 }),
      fc.integer({ min: 2, max: 10 }),
      async (starts, pageLimit) => {
        const { hits, all } = server(starts);
        const { traceIds, notes } = await searchWindow({ ...frame, pageLimit, hits });
        const found = new Set(traceIds);
        expect(found.size).toBe(traceIds.length);
        const lost = all.filter(({ traceId }) => !found.has(traceId));
        // What was left out is named.
        expect(lost.length > 0).toBe(lost.length > 0 && notes.some(({ code }) => code === 'search-cut'));
        if (notes.length === 0) expect(lost).toEqual([]);
      },
    ),
  );
});

test('newest first; more than asked for is left out and named', async () => {
  const { hits, asked } = server([5_000, 95_000, 50_000, 20_000]);
  expect(await searchWindow({ ...frame, pageLimit: 3, limit: 2, hits })).toEqual({
    traceIds: ['1', '2'].map((name) => name.padStart(32, '0')),
    notes: [
      {
        code: 'search-limited',
        message: 'more traces than the 2 that were asked for: the older ones were not read',
        at: '--limit',
      },
    ],
  });
  expect(asked[0]).toEqual([0, 100_000]);
  const exactly = await searchWindow({ ...frame, pageLimit: 5, limit: 4, hits });
  expect([exactly.traceIds.length, exactly.notes]).toEqual([4, []]);
});

test('too many in the shortest window: cut, and named', async () => {
  const { hits } = server(Array.from({ length: 9 }, () => 500));
  const { traceIds, notes } = await searchWindow({ ...frame, pageLimit: 4, hits });
  expect(traceIds.length).toBe(4);
  expect(notes).toEqual([
    {
      code: 'search-cut',
      message: 'at least 4 traces in so short a window: some were not read',
      at: '1970-01-01T00:00:00.000Z to 1970-01-01T00:00:01.000Z',
    },
  ]);
});

test('no request asks for a longer window than the server allows', async () => {
  const { hits, asked } = server([1, 99_999]);
  const { traceIds } = await searchWindow({ ...frame, pageLimit: 10, longestMs: 30_000, hits });
  expect(traceIds.length).toBe(2);
  expect(asked).toEqual([
    [70_000, 100_000],
    [40_000, 70_000],
    [10_000, 40_000],
    [0, 10_000],
  ]);
});
