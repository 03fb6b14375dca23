import { expect, test } from 'vitest';
import { parseDuration, parseWait } from '../../src/suite/duration.ts';

test('a wait is no longer than a timer can be', () => {
  expect(parseWait('2147483647ms')).toBe(2_147_483_647);
  expect(parseWait('2147483648ms')).toBe(undefined);
  expect(parseWait('99999999999999h')).toBe(undefined);
  expect(parseDuration('720h')).toBe(2_592_000_000);
});
