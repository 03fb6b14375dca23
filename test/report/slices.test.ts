import { describe, expect, test } from 'vitest';
import type { Report, TrialReport } from '../../src/report/report.ts';
import { parseSlice, sliceLines, withSlices } from '../../src/report/slices.ts';

const trial = (status: 'passed' | 'failed', toolCalls: number | null): TrialReport => ({
  index: 1,
  seed: null,
  status,
  traceIds: [],
  runId: null,
  steps: [],
  assertions: [],
  evidence: '',
  rerun: null,
  tree: [],
  measures: { toolCalls, steps: 7 },
});
const report = {
  scenarios: [
    {
      name: 'refunds',
      status: 'failed',
      tags: [],
      missing: [],
      trials: [trial('passed', 0), trial('passed', 1), trial('failed', 2), trial('passed', 5), trial('failed', null)],
    },
  ],
} as unknown as Report;

describe('slices', () => {
  test('rate and support in each bin; what is not told is no bin', () => {
    const [slice] = withSlices(report, [parseSlice('tool_calls:1,2')]).slices ?? [];
    expect(slice?.bins.map(({ above, upTo, runs, passed }) => [above, upTo, runs, passed])).toEqual([
      [null, 1, 2, 2],
      [1, 2, 1, 0],
      [2, null, 1, 1],
    ]);
    expect(slice?.untold).toBe(1);
    expect(sliceLines(slice!)).toEqual([
      'refunds by toolCalls',
      '  ≤ 1             2 of 2 passed (34–100 %)',
      '  1 < … ≤ 2       0 of 1 passed (0–79 %)',
      '  > 2             1 of 1 passed (21–100 %)',
      '  not told        1 run',
    ]);
  });

  test('trajectory_length is the number of steps; an empty bin says so', () => {
    const [slice] = withSlices(report, [parseSlice('trajectory_length:5,10')]).slices ?? [];
    expect([slice?.measure, slice?.bins.map(({ runs }) => runs)]).toEqual(['steps', [0, 5, 0]]);
    expect(sliceLines(slice!)[1]).toBe('  ≤ 5             no run');
  });

  test('nothing asked, nothing added; a wrong word is refused', () => {
    expect(withSlices(report, [])).toBe(report);
    for (const text of ['tool_calls', 'tool_calls:', 'tool_calls:2,1', 'tool_calls:a']) {
      expect(() => parseSlice(text)).toThrow(`expected --slice MEASURE:BOUNDS with growing bounds, got ${text}`);
    }
  });
});
