import { expect, test } from 'vitest';
import { conclude, worstStatus } from '../../src/verdict/conclude.ts';
import type { Finding } from '../../src/verdict/verdict.ts';

const finding: Finding = { code: 'a/b', arguments: {}, spans: [], expected: 'x', observed: 'y' };
const lack = { kind: 'content', message: 'content not captured' };

test('nothing examined is never passed', () => {
  expect(conclude({ examined: 0 })).toEqual({
    status: 'inconclusive',
    examined: 0,
    findings: [],
    missing: [{ kind: 'nothing-examined', message: 'no span was examined, so nothing is shown' }],
    remarks: [],
  });
});

test('failed before inconclusive before passed', () => {
  expect(conclude({ examined: 1 }).status).toBe('passed');
  expect(conclude({ examined: 1, missing: [lack] }).status).toBe('inconclusive');
  expect(conclude({ examined: 1, missing: [lack], findings: [finding] }).status).toBe('failed');
  expect(worstStatus(['passed', 'inconclusive', 'failed'])).toBe('failed');
  expect(worstStatus(['passed', 'inconclusive'])).toBe('inconclusive');
  expect(worstStatus(['passed'])).toBe('passed');
  expect(worstStatus([])).toBe('inconclusive');
});

test('the same lack and the same remark are told once', () => {
  const verdict = conclude({ examined: 1, missing: [lack, { ...lack }], remarks: ['r', 'r'] });
  expect(verdict.missing).toEqual([lack]);
  expect(verdict.remarks).toEqual(['r']);
});
