import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noColours } from '../../src/report/palette.ts';
import { spanTree } from '../../src/report/span-tree.ts';
import { textWidth } from '../../src/report/text-width.ts';
import { treeLines } from '../../src/report/tree-lines.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { type SpanSketch, spanId, viewOf } from '../view-builder.ts';

const id = (number: number): string => number.toString(16).padStart(4, '0');
const traceOf = (spans: readonly SpanSketch[]): Trace => viewOf(spans).traces[0]!.trace;
const lines = (trace: Trace, options: Parameters<typeof spanTree>[1] = {}, columns = 100): string[] =>
  treeLines(spanTree(trace, options), { columns, palette: noColours, indent: 0 });

const support: SpanSketch[] = [
  { id: '1', name: 'invoke_agent refund', start: 0, end: 1240 },
  { id: '2', parent: '1', name: 'chat', start: 10, end: 620 },
  { id: '3', parent: '1', name: 'chat', start: 700, end: 1100 },
  { id: '4', parent: 'f', name: 'execute_tool lookup_invoice', start: 640, end: 670 },
];

describe('a trace as a tree', () => {
  test('has branches, durations, marks, and its orphans apart', () => {
    expect(lines(traceOf(support), { guilty: new Set([spanId('4')]) })).toEqual([
      '  invoke_agent refund          1.24 s',
      '  ├─ chat                      0.61 s',
      '  └─ chat                      0.40 s',
      '✗ execute_tool lookup_invoice  0.03 s  parent d0d0d0… missing',
    ]);
  });

  test('leaves durations out where they are not wanted', () => {
    expect(lines(traceOf(support.slice(0, 2)), { durations: false })).toEqual(['  invoke_agent refund', '  └─ chat']);
  });

  test('says what failed and what never ended', () => {
    const trace = traceOf([
      { id: '1', name: 'run', end: null },
      { id: '2', parent: '1', name: 'tool', start: 1, end: 3, status: 'error' },
    ]);
    expect(lines(trace)).toEqual(['  run              not ended', '  └─ tool  2.0 ms  ERROR']);
  });

  test('shows a cycle once and ends', () => {
    const trace = traceOf([
      { id: '1', parent: '2', name: 'a' },
      { id: '2', parent: '1', name: 'b' },
      { id: '3', parent: '3', name: 'own parent' },
    ]);
    const shown = lines(trace, { durations: false });
    expect(shown).toHaveLength(3);
    expect(shown.filter((line) => line.includes('in a cycle'))).toHaveLength(3);
  });

  test('cuts names where the terminal is narrow, then leaves durations out, and keeps the notes', () => {
    expect(lines(traceOf(support), {}, 56)[3]).toBe('  execute_tool lookup_i…  0.03 s  parent d0d0d0… missing');
    const shown = lines(traceOf(support), {}, 44);
    expect(shown[3]).toBe('  execute_tool look…  parent d0d0d0… missing');
    expect(shown[0]).toBe('  invoke_agent refu…');
  });

  test('shows a name with a line break as its length, and no control character', () => {
    const trace = traceOf([
      { id: '1', name: 'please\nrefund' },
      { id: '2', parent: '1', name: '\u001b[31mred\u202e' },
      { id: '3', parent: '1', name: '' },
    ]);
    expect(lines(trace, { durations: false })).toEqual([
      '  ‹name of 13 characters›',
      '  ├─ \uFFFD[31mred\uFFFD',
      '  └─ ‹no name›',
    ]);
  });

  test('aligns names of wide characters', () => {
    const trace = traceOf([
      { id: '1', name: '查询订单', end: 20 },
      { id: '2', parent: '1', name: 'a', end: 20 },
    ]);
    expect(lines(trace)).toEqual(['  查询订单  0.02 s', '  └─ a      0.02 s']);
    expect(textWidth('查询订单')).toBe(8);
  });

  test('keeps the names on the page however deep it is', () => {
    const deep = Array.from({ length: 300 }, (_, i): SpanSketch => {
      const above = i === 0 ? {} : { parent: id(i) };
      return { id: id(i + 1), ...above, name: `level ${i}`, start: i, end: 1000 };
    });
    const shown = lines(traceOf(deep), { durations: false }, 80);
    expect(shown).toHaveLength(300);
    expect(Math.max(...shown.map(textWidth))).toBeLessThanOrEqual(80);
    expect(shown.at(-1)).toContain('level 299');
  });
});

describe('a long trace is folded', () => {
  const wide = (count: number): SpanSketch[] => [
    { id: id(1), name: 'root', end: 5000 },
    ...Array.from({ length: count }, (_, i): SpanSketch => {
      return { id: id(i + 2), parent: id(1), name: `child ${i}`, start: i, end: i + 1 };
    }),
  ];

  test('around a guilty span, with its neighbours, and all others counted', () => {
    const trace = traceOf(wide(500));
    expect(lines(trace, { guilty: new Set([spanId(id(252))]), rows: 30, durations: false })).toEqual([
      '  root',
      '  ├─ child 249',
      '✗ ├─ child 250',
      '  ├─ child 251',
      '  └─ … 497 more spans',
    ]);
  });

  test('tells how many guilty spans are folded away', () => {
    const trace = traceOf(wide(500));
    const guilty = new Set(trace.spans.slice(1).map(({ spanId }) => spanId));
    const shown = lines(trace, { guilty, rows: 20, durations: false });
    expect(shown).toHaveLength(21);
    expect(shown.at(-1)).toBe('✗ └─ … 481 more spans, 481 of them ✗');
  });

  test('from the top where none is guilty', () => {
    expect(lines(traceOf(wide(500)), { rows: 4, durations: false })).toEqual([
      '  root',
      '  ├─ child 0',
      '  ├─ child 1',
      '  ├─ child 2',
      '  └─ … 497 more spans',
    ]);
  });

  test('along a long chain of ancestors', () => {
    const chain = Array.from({ length: 100 }, (_, i): SpanSketch => {
      return { id: id(i + 1), ...(i === 0 ? {} : { parent: id(i) }), name: `level ${i}`, start: i };
    });
    const shown = lines(traceOf(chain), { guilty: new Set([spanId(id(100))]), rows: 30, durations: false });
    expect(shown.map((line) => line.trim().replace(/^[✗│├└─ ]*/, ''))).toEqual([
      'level 0',
      'level 1',
      'level 2',
      'level 3',
      'level 96',
      'level 97',
      'level 98',
      'level 99',
      '… 92 more spans',
    ]);
  });
});

test('no span is lost: shown and folded rows add up to the spans, for any shape', () => {
  const parents = fc.array(fc.option(fc.nat(60), { nil: undefined }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(parents, fc.integer({ min: 1, max: 70 }), fc.array(fc.nat(59)), (list, rows, guilty) => {
      const trace = traceOf(
        list.map((parent, i) => ({
          id: id(i + 1),
          ...(parent === undefined ? {} : { parent: id(parent + 1) }),
          start: i,
        })),
      );
      const tree = spanTree(trace, { rows, guilty: new Set(guilty.map((i) => spanId(id(i + 1)))) });
      const folded = tree.map(({ name, spanId: shown }) => (shown === null ? Number(/\d+/.exec(name)?.[0]) : 1));
      expect(folded.reduce((sum, count) => sum + count, 0)).toBe(trace.spans.length);
      const shown = tree.flatMap((row) => row.spanId ?? []);
      expect(new Set(shown).size).toBe(shown.length);
    }),
    { numRuns: 200 },
  );
});
