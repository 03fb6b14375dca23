import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBytes } from '../../../collectors/http/growing-bytes.ts';

test('pieces of any size and number are what they are together', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 200 });
  fc.assert(
    fc.property(pieces, (list) => {
      const bytes = new GrowingBytes();
      for (const piece of list) bytes.add(piece);
      const together = Buffer.concat(list);
      expect(bytes.length).toBe(together.length);
      expect(Buffer.from(bytes.whole()).equals(together)).toBe(true);
    }),
  );
});

test('one piece is handed on as it came, and many single bytes are', () => {
  const one = new GrowingBytes();
  const piece = Uint8Array.of(1, 2, 3);
  one.add(piece);
  expect(one.whole()).toBe(piece);
  const many = new GrowingBytes();
  for (let at = 0; at < 100_000; at += 1) many.add(Uint8Array.of(at % 251));
  expect(Buffer.from(many.whole()).equals(Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251)))).toBe(
    true,
  );
});
