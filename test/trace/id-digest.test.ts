import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdDigest } from '../../src/trace/id-digest.ts';
import { digestOf } from './stamped-process.ts';

function digest(ids: readonly string[]): IdDigest {
  const made = new IdDigest();
  for (const id of ids) made.add(id);
  return made;
}

test('XOR, then sum modulo 2^64', () => {
  expect(digest([]).hex()).toBe('0'.repeat(32));
  expect(digest(['00000000000000ff', '0000000000000001']).hex()).toBe('00000000000000fe0000000000000100');
  expect(digest(['ffffffffffffffff', 'ffffffffffffffff', '0000000000000003']).hex()).toBe(
    '00000000000000030000000000000001',
  );
});

test('equals bigint arithmetic for any ids, in any order', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
  fc.assert(
    fc.property(fc.array(hex, { maxLength: 50 }), (ids) => {
      expect(digest(ids).hex()).toBe(digestOf(ids));
      expect(digest([...ids].reverse()).hex()).toBe(digestOf(ids));
      expect(digest(ids).count).toBe(ids.length);
    }),
  );
});

test.each([
  '',
  '00000000000000f',
  '00000000000000ff0',
  '000000000000000g',
  '000000000000000Ā',
  '0000000\u0130000000ff',
])('an id that is none spoils the digest: %j', (id) => {
  const spoilt = digest(['00000000000000ff', id]);
  expect([spoilt.hex(), spoilt.count, spoilt.copy().hex()]).toEqual(['spoilt', 2, 'spoilt']);
});

test('a copy stays as it was', () => {
  const made = digest(['00000000000000ff']);
  const copy = made.copy();
  made.add('0000000000000001');
  expect([copy.hex(), copy.count]).toEqual(['00000000000000ff00000000000000ff', 1]);
});
