import { describe, expect, test } from 'vitest';
import { Sentinel } from '../../../src/trace/privacy/sentinel.ts';

const words = 'CANARY my locker code is 4471';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a text that was cut off', () => {
  const sentinel = new Sentinel(words, 0.5);
  test.each([
    ['at the end of the value', `he said ${words.slice(0, 20)}`],
    ['before an ellipsis', `${words.slice(0, 20)}… and more`],
    ['before three dots', `${words.slice(0, 20)}... and more`],
    ['before a mark in words', `${words.slice(0, 20)} [12 characters truncated]`],
    ['at the end of a quoted text', `[{"text":"${words.slice(0, 20)}"}]`],
    ['at the end of a text quoted twice', JSON.stringify(JSON.stringify({ text: words.slice(0, 20) }))],
    ['in a URL', encodeURIComponent(words.slice(0, 20))],
    ['as hex', Buffer.from(words.slice(0, 20)).toString('hex')],
    ['as base64', base64(words.slice(0, 20))],
    ['as base64, in the middle', base64(`xy${words.slice(0, 21)}`)],
    ['not at all', `x${words}x`],
  ])('is known %s', (_, text) => expect(sentinel.isIn(text)).toBe(true));

  test.each([
    ['goes on otherwise', `${words.slice(0, 20)} other words`],
    ['is shorter than half', words.slice(0, 14)],
    ['goes on otherwise as base64', base64(`${words.slice(0, 20)} other words and more`)],
  ])('is another one where it %s', (_, text) => expect(sentinel.isIn(text)).toBe(false));
});

test('a name that begins alike is no canary', () => {
  expect(new Sentinel('refund-aqq', 0.5).isIn('refund-agent')).toBe(false);
});

test('a short text is never known by its beginning', () => {
  expect(new Sentinel('lookup-9', 0.5).isIn('lookup-')).toBe(false);
});

test('half a surrogate pair is found as it stands, and spelled by nothing', () => {
  expect(new Sentinel('seven \uD83D', 0.5).isIn('x seven \uD83D')).toBe(true);
  expect(new Sentinel('1234567\u{1F600} and more', 0.1).isIn('1234567\u{1F600}')).toBe(true);
});
