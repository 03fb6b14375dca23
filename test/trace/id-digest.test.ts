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
