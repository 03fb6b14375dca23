import { describe, expect, test } from 'vitest';
import type { CompletenessState } from '../../src/trace/completeness.ts';
import type { View } from '../../src/verdict/assertion.ts';
import { type Claim, groundRemarks, undecided } from '../../src/verdict/decidable.ts';
import { viewOf } from '../view-builder.ts';

interface Source {
  readonly remote: boolean;
  readonly ended: boolean;
  readonly cut?: boolean;
  readonly acceptsSettled?: boolean;
  readonly beforeDeadline?: boolean;
}

function viewIn(state: CompletenessState, source: Source): View {
  const view = viewOf([{ id: '1' }]);
  const { remote, ended, cut = false, acceptsSettled = false, beforeDeadline = false } = source;
  return {
    ...view,
    traces: view.traces.map(({ trace }) => ({
      trace,
      facts: { remote, ended, cut, quiet: true, losses: [] },
      completeness: { state, reasons: ['a reason'], expectedSpans: null },
    })),
    source: { kind: remote ? 'tempo' : 'file', acceptsSettled, beforeDeadline },
  };
}

const states: readonly CompletenessState[] = [
  'partial',
  'too-large',
  'pruned',
  'not-found',
  'short',
  'proven',
  'broken',
  'growing',
  'settled',
];
const local: Source = { remote: false, ended: true };
const remote: Source = { remote: true, ended: false };
const savedFromBackend: Source = { remote: true, ended: true };

// Design §5, second table: the states in which each claim is decided.
const table: readonly [claim: Claim, source: string, facts: Source, decided: readonly CompletenessState[]][] = [
  ['present', 'local', local, states],
  ['present', 'remote', remote, states],
  ['present', 'before the deadline', { ...remote, beforeDeadline: true }, states],
  ['violated', 'local', local, states],
  ['violated', 'remote', remote, states],
  ['violated', 'before the deadline', { ...remote, beforeDeadline: true }, states],
  ['joined', 'local', local, ['proven', 'broken', 'settled']],
  ['joined', 'local, with a line cut off', { ...local, cut: true }, ['proven', 'settled']],
  ['joined', 'local, not ended', { ...local, ended: false }, ['proven', 'settled']],
  ['joined', 'remote', remote, ['proven', 'settled']],
  ['joined', 'a file that only a backend writes', savedFromBackend, ['proven', 'settled']],
  ['joined', 'before the deadline', { ...remote, beforeDeadline: true }, ['proven']],
  ['whole', 'local', local, ['proven', 'settled']],
  ['whole', 'remote', remote, ['proven']],
  ['whole', 'a file that only a backend writes', savedFromBackend, ['proven']],
  ['whole', 'remote, settled accepted', { ...remote, acceptsSettled: true }, ['proven', 'settled']],
  ['whole', 'before the deadline', { ...remote, acceptsSettled: true, beforeDeadline: true }, ['proven']],
];

describe('which completeness decides which claim', () => {
  test.each(table)('%s on %s', (claim, _, facts, decided) => {
    expect(states.filter((state) => undecided(claim, viewIn(state, facts)).length === 0)).toEqual(decided);
  });

  test('one undecided trace of several is enough', () => {
    const one = viewIn('settled', local);
    const other = viewIn('short', local);
    const both = { ...one, traces: [...one.traces, ...other.traces] };
    expect(undecided('whole', both)).toHaveLength(1);
    expect(undecided('present', both)).toEqual([]);
  });

  test('without any trace nothing that needs one is decided', () => {
    expect(undecided('whole', { ...viewIn('settled', local), traces: [] })).toEqual([
      {
        kind: 'completeness',
        message: 'no trace is at hand; check the selection and where the app sends spans',
      },
    ]);
  });
});

describe('what would decide it', () => {
  const id = 'a1'.repeat(16);
  const receipts = 'receipts (otel-eval/instrument) would prove that it is whole';
  test.each([
    [
      'not-found',
      remote,
      `trace ${id} was not found (a reason); check the id and the source, or wait longer (--deadline)`,
    ],
    [
      'partial',
      remote,
      `the server returned only a part of trace ${id} (a reason); raise its query limits or read another source`,
    ],
    [
      'too-large',
      remote,
      `trace ${id} is too large to be read whole (a reason); raise the server's maximum trace size`,
    ],
    ['pruned', remote, `spans of trace ${id} were merged into summaries (a reason); switch span pruning off`],
    [
      'short',
      remote,
      `trace ${id} lacks spans (a reason); wait longer (--deadline) or find out where they are dropped`,
    ],
    ['broken', remote, `trace ${id} has lost spans (a reason); collect all of them: ${receipts}`],
    [
      'growing',
      remote,
      `trace ${id} was still growing at the deadline (a reason); wait longer (--deadline), or ${receipts}`,
    ],
    [
      'settled',
      remote,
      `trace ${id} has settled, but a source like tempo can lose spans without a word (a reason); ${receipts}, and --completeness settled accepts it as it is`,
    ],
    [
      'settled',
      { ...remote, beforeDeadline: true },
      `more spans of trace ${id} may still come (a reason); wait for the deadline, or ${receipts}`,
    ],
  ] as const)('%s', (state, facts, message) => {
    expect(undecided('whole', viewIn(state, facts))).toEqual([{ kind: 'completeness', message }]);
  });

  test('the ground of a settled trace is told where it was accepted, and only there', () => {
    expect(groundRemarks(viewIn('settled', { ...remote, acceptsSettled: true }))).toEqual([
      'decided on a settled trace from tempo, as --completeness settled accepts; no receipt proves it whole',
    ]);
    expect(groundRemarks(viewIn('proven', { ...remote, acceptsSettled: true }))).toEqual([]);
    expect(groundRemarks(viewIn('settled', { ...local, acceptsSettled: true }))).toEqual([]);
  });
});
