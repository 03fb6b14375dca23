import { describe, expect, test } from 'vitest';
import type { SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf, type Expectations } from '../../src/trace/completeness-of.ts';
import type { Span } from '../../src/trace/span.ts';
import { id, StampedProcess } from './stamped-process.ts';
import { traceOf } from './trace-of.ts';

const ended: SourceFacts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };
const polled: SourceFacts = { remote: true, ended: false, quiet: true, cut: false, losses: [] };
const stillComing: SourceFacts = { ...polled, quiet: false };

function judge(spans: readonly Span[], facts: SourceFacts = ended, expected?: Expectations) {
  return completenessOf(traceOf(spans), facts, expected);
}

function oneSegment(): StampedProcess {
  const agent = new StampedProcess();
  agent.start(id(1));
  agent.run(id(2), { parent: id(1) });
  agent.run(id(3), { parent: id(1) });
  return agent.end(id(1));
}

const without = (spans: readonly Span[], spanId: string) => spans.filter((span) => span.spanId !== spanId);

test('one segment: proven, on every kind of source, before it was quiet', () => {
  const proven = { state: 'proven', reasons: ['the receipt says 3'], expectedSpans: 3 };
  for (const facts of [ended, polled, stillComing]) expect(judge(oneSegment().exported, facts)).toEqual(proven);
});

test('two segments in one process, interleaved', () => {
  const agent = new StampedProcess();
  agent.start(id(1)).start(id(9), { parent: 'eeeeeeeeeeeeeeee' });
  agent.run(id(2), { parent: id(1) }).run(id(10), { parent: id(9) });
  agent.end(id(9)).end(id(1));
  const caller = new StampedProcess({ processor: 'ffffffff' }).run('eeeeeeeeeeeeeeee', { parent: id(1) });
  expect(judge([...agent.exported, ...caller.exported])).toEqual({
    state: 'proven',
    reasons: ['3 receipts say 5'],
    expectedSpans: 5,
  });
});

function threeProcesses(): Span[] {
  const agent = new StampedProcess({ service: 'agent', processor: '0000000a' });
  const tools = new StampedProcess({ service: 'tools', processor: '0000000b' });
  const store = new StampedProcess({ service: 'store', processor: '0000000c' });
  agent.start(id(1)).start(id(2), { parent: id(1) });
  tools.start(id(3), { parent: id(2) }).start(id(4), { parent: id(3) });
  store
    .start(id(5), { parent: id(4) })
    .run(id(6), { parent: id(5) })
    .end(id(5));
  tools.end(id(4)).end(id(3));
  agent.end(id(2)).end(id(1));
  return [...agent.exported, ...tools.exported, ...store.exported];
}

test('three processes', () => {
  const services = ['agent', 'tools', 'store'];
  expect(judge(threeProcesses(), polled, { services })).toEqual({
    state: 'proven',
    reasons: ['3 receipts say 6'],
    expectedSpans: 6,
  });
});

test('three processes, one of them absent as a whole: not proven when the suite declares its service', () => {
  const spans = threeProcesses().filter(({ resource }) => resource.attributes.get('service.name') !== 'store');
  const services = ['agent', 'tools', 'store'];
  expect(judge(spans).state).toBe('proven');
  expect(judge(spans, ended, { services })).toEqual({
    state: 'broken',
    reasons: ['no span of the declared service store'],
    expectedSpans: 4,
  });
});

test('an open span: short, also when all that ended is here', () => {
  const agent = new StampedProcess();
  agent
    .start(id(1))
    .start(id(2), { parent: id(1) })
    .end(id(1));
  expect(judge(agent.exported)).toEqual({
    state: 'short',
    reasons: ['1 span still open when the newest receipt was written'],
    expectedSpans: 2,
  });
});

test('a late span carries the receipt anew: proven by it, short without it', () => {
  const agent = new StampedProcess();
  agent
    .start(id(1))
    .start(id(2), { parent: id(1) })
    .end(id(1))
    .end(id(2));
  expect(judge(agent.exported)).toEqual({ state: 'proven', reasons: ['the receipt says 2'], expectedSpans: 2 });
  expect(judge(without(agent.exported, id(2))).state).toBe('short');
});

test('the late span is here and another one is not: the newest receipt counts', () => {
  const agent = new StampedProcess();
  agent
    .start(id(1))
    .run(id(2), { parent: id(1) })
    .start(id(3), { parent: id(1) })
    .end(id(1))
    .end(id(3));
  expect(judge(without(agent.exported, id(2)))).toEqual({
    state: 'short',
    reasons: ['1 span missing: a receipt says 3, 2 are here'],
    expectedSpans: 3,
  });
});

test('one lost', () => {
  expect(judge(without(oneSegment().exported, id(3)), polled)).toEqual({
    state: 'short',
    reasons: ['1 span missing: a receipt says 3, 2 are here'],
    expectedSpans: 3,
  });
});

test('one in the place of another', () => {
  const spans = oneSegment().exported.map((span) => (span.spanId === id(3) ? { ...span, spanId: id(7) } : span));
  expect(judge(spans)).toEqual({
    state: 'short',
    reasons: ['other spans stand in the place of some of the 3 that a receipt says'],
    expectedSpans: 3,
  });
});

test('one more than the receipt says', () => {
  const [first] = oneSegment().exported as [Span];
  expect(judge([...oneSegment().exported, { ...first, spanId: id(8) }]).reasons).toEqual([
    '1 span more than the 3 that a receipt says',
  ]);
});

test('two receipts that contradict each other', () => {
  const spans = oneSegment().exported.map((span) => ({
    ...span,
    attributes: new Map([
      ...span.attributes,
      ['otel_eval.receipt.spans', 3] as const,
      ['otel_eval.receipt.open', 0] as const,
      ['otel_eval.receipt.digest', span.spanId + span.spanId] as const,
    ]),
  }));
  expect(judge(spans)).toMatchObject({
    state: 'short',
    reasons: ['two receipts of one segment contradict each other'],
  });
});

test('a process without receipts: settled, never proven', () => {
  const other = new StampedProcess({ service: 'legacy', stamps: false }).run(id(20), { parent: id(2) });
  const spans = [...oneSegment().exported, ...other.exported];
  const unstamped = '1 span without a segment, for which no receipt speaks';
  expect(judge(spans)).toEqual({ state: 'settled', reasons: ['the source has ended', unstamped], expectedSpans: null });
  expect(judge(spans, polled)).toEqual({
    state: 'settled',
    reasons: ['no span came for as long as was waited', unstamped],
    expectedSpans: null,
  });
  expect(judge(spans, stillComing)).toEqual({
    state: 'growing',
    reasons: ['spans may still come', unstamped],
    expectedSpans: null,
  });
  // A loss elsewhere is seen all the same.
  expect(judge(without(spans, id(3))).state).toBe('short');
});

test('the local root never ended: its segment has no receipt', () => {
  const agent = new StampedProcess();
  agent.start(id(1)).run(id(2), { parent: id(1) });
  expect(judge(agent.exported)).toEqual({
    state: 'broken',
    reasons: [`1 span whose parent is missing: ${id(1)}`, 'no root span', 'no receipt for 1 of 1 segments'],
    expectedSpans: null,
  });
});

test('an unreadable receipt proves nothing', () => {
  for (const bad of ['3', 2.5, -1, 3n, true]) {
    const spans = oneSegment().exported.map((span) =>
      span.spanId === id(1)
        ? { ...span, attributes: new Map([...span.attributes, ['otel_eval.receipt.spans', bad] as const]) }
        : span,
    );
    expect(judge(spans)).toMatchObject({
      state: 'settled',
      reasons: ['the source has ended', 'no receipt for 1 of 1 segments', 'unreadable receipts: 1'],
    });
  }
});

test('what the server says comes first', () => {
  const words = {
    partial: 'the server says that it gave a part of the trace',
    'too-large': 'the trace exceeds the maximum size of one answer',
    pruned: 'the server replaced spans by a summary',
    'not-found': 'the server says that there is no such trace',
  } as const;
  for (const state of ['partial', 'too-large', 'pruned', 'not-found'] as const) {
    expect(judge(oneSegment().exported, { ...polled, serverSays: state })).toEqual({
      state,
      reasons: [words[state]],
      expectedSpans: 3,
    });
  }
});

test('no span at all is not found, everywhere', () => {
  for (const facts of [ended, polled, stillComing]) {
    expect(judge([], facts)).toEqual({ state: 'not-found', reasons: ['no span of it was found'], expectedSpans: null });
  }
});

function bare(): StampedProcess {
  const agent = new StampedProcess({ stamps: false });
  return agent.run(id(1)).run(id(2), { parent: id(1) });
}

test('structure without receipts', () => {
  const none = 'no span carries a receipt';
  expect(judge(bare().exported)).toEqual({
    state: 'settled',
    reasons: ['the source has ended', none],
    expectedSpans: null,
  });
  expect(judge(without(bare().exported, id(1))).reasons).toEqual([
    `1 span whose parent is missing: ${id(1)}`,
    'no root span',
    none,
  ]);
  const open = bare().exported.map((span) => ({ ...span, endUnixNano: undefined }));
  expect(judge(open)).toMatchObject({ state: 'broken', reasons: ['2 spans without an end', none] });
  expect(judge(bare().exported, { ...ended, cut: true })).toMatchObject({
    state: 'broken',
    reasons: ['a part of the input is cut off or unreadable', none],
  });
  expect(judge(bare().exported, { ...ended, losses: ['times in microseconds'] }).reasons).toEqual([
    'the source has ended',
    none,
    'times in microseconds',
  ]);
});

test('a declared remote parent counts as resolved, one only', () => {
  const agent = new StampedProcess({ stamps: false });
  agent.run(id(1), { parent: id(99) }).run(id(2), { parent: id(1) });
  expect(judge(agent.exported).state).toBe('broken');
  expect(judge(agent.exported, ended, { remoteRoot: true }).state).toBe('settled');
  agent.run(id(3), { parent: id(99) });
  expect(judge(agent.exported, ended, { remoteRoot: true }).state).toBe('broken');
});

describe('a declared absent parent', () => {
  const declared = { absentParentOf: ['step', 'tool'] };
  /** A program that died below a root, or as a whole. */
  const died = (root: boolean) => {
    const agent = new StampedProcess({ stamps: false });
    if (root) agent.run(id(1), { name: 'root' }).run(id(4), { parent: id(1) });
    return agent.run(id(2), { parent: id(99), name: 'step' }).run(id(3), { parent: id(99), name: 'tool' });
  };

  test.each([true, false])('counts as resolved, and the reasons say so; with a root: %s', (root) => {
    expect(judge(died(root).exported).state).toBe('broken');
    expect(judge(died(root).exported, ended, declared)).toEqual({
      state: 'settled',
      reasons: [
        'the source has ended',
        'the parent of 2 spans is absent, as the suite declares',
        'no span carries a receipt',
      ],
      expectedSpans: null,
    });
    expect(judge(died(root).exported, { ...ended, ended: false, quiet: false }, declared).state).toBe('growing');
  });

  test('nothing beyond it does', () => {
    const stateOf = (spans: readonly Span[], facts = ended, expected: Expectations = declared) =>
      judge(spans, facts, expected).state;
    const spans = died(true).exported;
    // A declared name below a second absent parent, an undeclared name, a part of the names, another root that is lost.
    expect(stateOf(died(true).run(id(5), { parent: id(98), name: 'tool' }).exported)).toBe('broken');
    expect(stateOf(died(true).run(id(5), { parent: id(98), name: 'else' }).exported)).toBe('broken');
    expect(stateOf(died(true).run(id(5), { parent: id(99), name: 'else' }).exported)).toBe('broken');
    expect(stateOf(died(false).run(id(5), { parent: id(98), name: 'else' }).exported)).toBe('broken');
    expect(stateOf(spans, ended, { absentParentOf: ['step'] })).toBe('broken');
    expect(stateOf(spans, ended, { absentParentOf: [] })).toBe('broken');
    expect(stateOf(spans, { ...ended, cut: true })).toBe('broken');
    expect(stateOf(spans, { ...ended, serverSays: 'partial' })).toBe('partial');
    expect(stateOf(spans, ended, { ...declared, spans: 9 })).toBe('broken');
    expect(stateOf(spans.map((span) => (span.name === 'root' ? { ...span, endUnixNano: undefined } : span)))).toBe(
      'broken',
    );
  });

  test('names what is lost beside it, and no more', () => {
    const { exported } = died(true).run(id(5), { parent: id(98), name: 'else' });
    expect(judge(exported, ended, declared).reasons).toEqual([
      `1 span whose parent is missing: ${id(98)}`,
      'no span carries a receipt',
    ]);
  });

  test('stands beside a remote parent', () => {
    const { exported } = died(false).run(id(5), { parent: id(98), name: 'server' });
    expect(judge(exported, ended, { ...declared, remoteRoot: true }).state).toBe('settled');
    expect(judge(exported, ended, { remoteRoot: true }).state).toBe('broken');
  });

  test('never undoes what a receipt says', () => {
    const agent = new StampedProcess();
    agent
      .start(id(1))
      .start(id(2), { parent: id(1) })
      .run(id(3), { parent: id(2), name: 'step' });
    const { exported } = agent.end(id(1));
    expect(judge(exported, ended, declared)).toMatchObject({
      state: 'short',
      reasons: ['1 span still open when the newest receipt was written'],
    });
    expect(judge(without(agent.end(id(2)).exported, id(2)), ended, declared).state).toBe('short');
  });
});

test('fewer spans than declared', () => {
  expect(judge(oneSegment().exported, ended, { spans: 3 }).state).toBe('proven');
  expect(judge(oneSegment().exported, ended, { spans: 4 })).toMatchObject({
    state: 'broken',
    reasons: ['3 spans where at least 4 are declared'],
  });
});
