import { expect, test } from 'vitest';
import { ExactTimes } from '../../src/testing/exact-times.ts';

type Time = readonly [number, number];
const nanos = ([seconds, rest]: Time) => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
const hrTime = (ms: number): Time => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];

/** A span as the SDK times it: the start in whole milliseconds, the end by how long it took. */
function span(times: ExactTimes, spanId: string) {
  const startTime = hrTime(Date.now());
  // In the SDK's order: a pause between the two readings must not make a span end after the next one starts.
  const began = performance.now();
  const running = { startTime, endTime: [0, 0] as Time, spanContext: () => ({ spanId }) };
  times.started(running);
  return {
    startTime,
    end() {
      const end = nanos(startTime) + BigInt(Math.round((performance.now() - began) * 1e6));
      const endTime: Time = [Number(end / 1_000_000_000n), Number(end % 1_000_000_000n)];
      return times.ended({ ...running, endTime });
    },
  };
}

test('quick spans, one after the other, are told in their order', () => {
  const times = new ExactTimes();
  const told = Array.from({ length: 200 }, (_, i) => span(times, String(i)).end());
  const instants = told.flatMap((one) => (one === undefined ? [] : [nanos(one.startTime), nanos(one.endTime)]));
  expect(instants).toEqual([...instants].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
});

test('a start changes by less than the millisecond that was cut off', () => {
  const times = new ExactTimes();
  for (let i = 0; i < 200; i++) {
    const one = span(times, String(i));
    const told = one.end();
    if (told === undefined) continue;
    const change = nanos(told.startTime) - nanos(one.startTime);
    expect(change >= 0n && change < 1_000_000n).toBe(true);
  }
});

test('times that the app gave itself stay as they are', () => {
  const times = new ExactTimes();
  const given = {
    startTime: hrTime(1_760_000_000_000),
    endTime: hrTime(1_760_000_000_005),
    spanContext: () => ({ spanId: 'a' }),
  };
  times.started(given);
  expect(times.ended(given)).toBeUndefined();
  const fine = { ...given, startTime: [Math.floor(Date.now() / 1_000), 123_456_789] as Time };
  times.started(fine);
  expect(times.ended(fine)).toBeUndefined();
});
