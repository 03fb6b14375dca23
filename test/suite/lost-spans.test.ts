import { expect, test } from 'vitest';
import { lostSpans } from '../../src/suite/judge/lost-spans.ts';

const reading = (...codes: string[]) => ({
  input: 'a.json',
  format: 'otlp-json',
  rows: 1,
  spans: 1,
  problems: codes.map((code) => ({ code, message: 'expected 16 hex digits', at: 'line 3' })),
});

test.each([
  'bad-span',
  'bad-trace-id',
  'bad-span-id',
  'bad-list',
  'cut-off',
  'nul-bytes',
  'search-cut',
  'search-too-early',
  'more-problems',
])('after %s a pass is not shown', (code) => {
  expect(lostSpans([reading('bad-count', code)])).toEqual([
    { kind: 'unreadable-input', message: 'not all of a.json was read: expected 16 hex digits (line 3)' },
  ]);
});

test('what was read otherwise than it stood there is no lost span', () => {
  expect(lostSpans([reading('bad-count', 'bad-text', 'duplicate-key', 'unknown-value', 'search-limited')])).toEqual([]);
});

test('several are counted, input by input', () => {
  expect(
    lostSpans([reading('bad-span', 'bad-span'), reading(), reading('cut-off')]).map(({ message }) => message),
  ).toEqual([
    'not all of a.json was read: expected 16 hex digits (line 3), and 1 more',
    'not all of a.json was read: expected 16 hex digits (line 3)',
  ]);
});
