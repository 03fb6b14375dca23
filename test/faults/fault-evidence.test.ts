import { describe, expect, test } from 'vitest';
import { effectsOf } from '../../src/faults/read/effects-of.ts';
import { endStateOf } from '../../src/faults/read/end-state.ts';
import type { FaultEvents } from '../../src/faults/read/fault-events.ts';
import type { AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';

type Given = Readonly<Record<string, AttributeValue>>;

const eventsOf = (given: Readonly<Record<string, readonly Given[]>>): FaultEvents =>
  new Map(
    Object.entries(given).map(([name, all]) => [
      `evidence.${name}`,
      all.map((each) => ({ span: {} as Span, attributes: new Map(Object.entries(each)) })),
    ]),
  );

const snapshots = (after: number, before = 0): readonly Given[] => [
  { stage: 'before', 'record.count': before },
  { stage: 'after', 'record.count': after },
];
const committed = { 'gen_ai.tool.name': 'book', identity: 1, state: 'committed', kind: 'told' };

describe('the ledger in a trace', () => {
  const effects = (given: Parameters<typeof eventsOf>[0]) =>
    effectsOf(eventsOf(given))?.map(({ state }) => state) ?? null;

  test('holds the entries that its snapshots count, in their order', () => {
    const given = [
      { ...committed, index: 1, state: 'undone' },
      { ...committed, index: 0 },
    ];
    expect(effects({ snapshot: snapshots(2), effect: given })).toEqual(['committed', 'undone']);
    expect(effects({ snapshot: snapshots(5, 3), effect: given })).toEqual(['committed', 'undone']);
    expect(effects({ snapshot: snapshots(0) })).toEqual([]);
  });

  test.each<[string, Parameters<typeof eventsOf>[0]]>([
    ['no snapshot after the drain', { snapshot: snapshots(1).slice(0, 1), effect: [committed] }],
    ['an entry was lost', { snapshot: snapshots(2), effect: [committed] }],
    ['an entry came after the snapshot', { snapshot: snapshots(0), effect: [committed] }],
    ['a snapshot without its count', { snapshot: [{ stage: 'after' }], effect: [committed] }],
    ['a state that nobody knows', { snapshot: snapshots(1), effect: [{ ...committed, state: 'applied' }] }],
    ['no state', { snapshot: snapshots(1), effect: [{ 'gen_ai.tool.name': 'book', identity: 1 }] }],
    ['no identity', { snapshot: snapshots(1), effect: [{ 'gen_ai.tool.name': 'book', state: 'committed' }] }],
  ])('%s: it is no ledger', (_, given) => {
    expect(effects(given)).toBeNull();
  });
});

test.each<[string, readonly Given[], boolean | null]>([
  ['nobody checked', [], null],
  ['it is right', [{ success: true }], true],
  ['it is wrong', [{ success: false }], false],
  ['one of two checks fails', [{ success: true }, { success: false }], false],
  ['one of two checks tells nothing', [{ success: true }, {}], null],
])('end state: %s', (_, given, expected) => {
  expect(endStateOf(eventsOf({ end_state: given }))).toBe(expected);
});
