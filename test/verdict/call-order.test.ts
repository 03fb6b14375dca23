import { describe, expect, test } from 'vitest';
import type { Run, ToolCall } from '../../src/agent/run.ts';
import type { Answer } from '../../src/verdict/argument-match.ts';
import type { View } from '../../src/verdict/assertion.ts';
import { type CallOrder, callOrder, readOrder } from '../../src/verdict/call-order.ts';
import { happensBefore } from '../../src/verdict/happens-before.ts';
import { viewOf } from '../view-builder.ts';
import { fc, test as prop } from './property.ts';

interface Sketch {
  readonly name: string;
  readonly start: number | undefined;
  /** Milliseconds after the start. */
  readonly lasts: number;
  readonly group: number | null;
}

const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n;

function callOf({ name, start, lasts, group }: Sketch): ToolCall {
  return {
    name,
    callId: null,
    agent: null,
    operation: null,
    attempt: null,
    parallelGroup: group,
    outcome: 'succeeded',
    evidence: [],
    spans: [],
    readFrom: [],
    effect: null,
    startUnixNano: start === undefined ? undefined : nanos(start),
    endUnixNano: start === undefined ? undefined : nanos(start + lasts),
    arguments: () => undefined,
    result: () => undefined,
    stampedArgumentsDigest: undefined,
    stampedArgumentDigests: new Map(),
  };
}

function viewWith(calls: readonly ToolCall[], turnsKnown: boolean): View {
  const base = viewOf([{ id: '1' }]);
  const visibility = { ...base.run.visibility, content: turnsKnown ? 'shown' : 'hidden' } as Run['visibility'];
  return viewOf([{ id: '1' }], { run: { toolCalls: calls, visibility } });
}

const match = (tool: string) => ({ tool });
const read = (calls: readonly ToolCall[], order: CallOrder, turnsKnown = true) =>
  readOrder(viewWith(calls, turnsKnown), order);

const sketches = fc
  .array(
    fc.record({
      name: fc.constantFrom('a', 'b'),
      start: fc.option(fc.nat(12), { nil: undefined }),
      lasts: fc.nat(6),
      group: fc.option(fc.nat(2)),
    }),
    { maxLength: 7 },
  )
  // Calls stand in causal order; those without times stay where they are.
  .map((list) => list.toSorted((x, y) => (x.start ?? 0) - (y.start ?? 0)));

/** The best that any chain of calls gives, tried one by one. */
function bestChain(calls: readonly ToolCall[], wanted: readonly string[], run: Run): Answer {
  let best: Answer = 'no';
  const walk = (place: number, from: number, before: ToolCall | undefined, sure: boolean): void => {
    if (place === wanted.length) {
      best = sure ? 'yes' : best === 'yes' ? 'yes' : 'unknown';
      return;
    }
    for (let index = from; index < calls.length; index += 1) {
      const call = calls[index] as ToolCall;
      if (call.name !== wanted[place]) continue;
      const link = before === undefined ? 'yes' : happensBefore(before, call, run);
      if (link !== 'no') walk(place + 1, index + 1, call, sure && link === 'yes');
    }
  };
  walk(0, 0, undefined, true);
  return best;
}

const names = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 });

prop('in order: as good as the best of all chains', [sketches, names, fc.boolean()], (list, wanted, turnsKnown) => {
  const calls = list.map(callOf);
  const view = viewWith(calls, turnsKnown);
  const reading = readOrder(view, { mode: 'inOrder', calls: wanted.map(match) });
  const counts = (name: string) =>
    [wanted, calls.map((call) => call.name)].map((all) => all.filter((one) => one === name).length);
  const enough = ['a', 'b'].every((name) => (counts(name)[0] ?? 0) <= (counts(name)[1] ?? 0));
  expect(reading.missing.length === 0).toBe(enough);
  if (!enough) return;
  const best = bestChain(calls, wanted, view.run);
  expect(reading.disordered).toBe(best === 'yes' ? 'no' : best === 'no' ? 'yes' : 'unknown');
  expect(reading.open).toBe(best === 'unknown');
});

prop('partial: as good as the best earlier call', [sketches, fc.boolean()], (list, turnsKnown) => {
  const calls = list.map(callOf);
  const view = viewWith(calls, turnsKnown);
  const reading = readOrder(view, { mode: 'partial', pairs: [{ before: match('a'), after: match('b') }] });
  const links = calls.map((call, index) =>
    calls
      .slice(0, index)
      .filter(({ name }) => name === 'a')
      .map((earlier) => happensBefore(earlier, call, view.run)),
  );
  const later = calls.flatMap((call, index) => (call.name === 'b' ? [links[index] ?? []] : []));
  expect(reading.unpreceded).toHaveLength(later.filter((found) => found.every((link) => link === 'no')).length);
  expect(reading.open).toBe(later.some((found) => !found.includes('yes') && found.includes('unknown')));
  expect(reading.empty).toBe(later.length === 0);
});

describe('one after the other', () => {
  const at = (name: string, start: number | undefined, lasts = 2, group: number | null = null) =>
    callOf({ name, start, lasts, group });
  const exact: CallOrder = { mode: 'exact', calls: [match('a'), match('b')] };

  test.each([
    ['apart', [at('a', 0), at('b', 10)], 'no'],
    ['end and start at one moment', [at('a', 0), at('b', 2)], 'no'],
    ['overlapping', [at('a', 0, 9), at('b', 3)], 'yes'],
    ['asked for together, though run one by one', [at('a', 0, 2, 1), at('b', 10, 2, 1)], 'yes'],
    ['asked for in different turns, without times', [at('a', undefined, 0, 1), at('b', undefined, 0, 2)], 'no'],
    ['the other way round', [at('b', 0), at('a', 10)], 'yes'],
  ] as const)('%s', (_, calls, disordered) => {
    expect(read(calls, exact).disordered).toBe(disordered);
  });

  test('within the clock’s millisecond the turns tell, and where they are not known nothing does', () => {
    const calls = [at('a', 5, 1), at('b', 5, 1)];
    expect(read(calls, exact, true)).toMatchObject({ disordered: 'no', open: false });
    expect(read(calls, exact, false)).toMatchObject({ disordered: 'unknown', open: true });
  });
});

describe('which calls there are', () => {
  const calls = ['a', 'b', 'a'].map((name, i) => callOf({ name, start: i * 10, lasts: 2, group: null }));

  test.each([
    ['exact', ['a', 'b', 'a'], [], 0],
    ['exact', ['a', 'b'], [], 1],
    ['anyOrder', ['a', 'a', 'b'], [], 0],
    ['anyOrder', ['b', 'b', 'a'], [1], 1],
    ['inOrder', ['a', 'a'], [], 0],
    ['inOrder', ['c', 'a', 'c'], [0, 2], 0],
  ] as const)('%s %j', (mode, wanted, missing, further) => {
    const reading = read(calls, { mode, calls: wanted.map(match) });
    expect([reading.missing, reading.further.length]).toEqual([missing, further]);
  });

  test('others may be allowed or forbidden by word', () => {
    expect(read(calls, { mode: 'anyOrder', calls: [match('b')], others: 'allowed' }).further).toEqual([]);
    expect(read(calls, { mode: 'inOrder', calls: [match('b')], others: 'forbidden' }).further).toHaveLength(2);
  });

  test('several expectations are paired so that as many as possible are met', () => {
    const either = { tool: ['a', 'b'] };
    const reading = read(calls.slice(0, 2), { mode: 'anyOrder', calls: [either, match('a')] });
    expect(reading).toMatchObject({ missing: [], further: [] });
  });
});

test.each([
  [{ mode: 'partial', calls: [{}] }, 'expected pairs, and no calls, with the mode partial'],
  [{ mode: 'exact', pairs: [{ before: {}, after: {} }] }, 'expected calls, and no pairs, with the mode exact'],
  [{ mode: 'exact', calls: [{}], others: 'allowed' }, 'expected no others with the mode exact; inOrder allows them'],
  [
    { mode: 'partial', pairs: [{ before: {}, after: {} }], others: 'forbidden' },
    'expected no bound on others with the mode partial',
  ],
])('%j is refused', (order, message) => {
  expect(callOrder.safeParse(order).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
