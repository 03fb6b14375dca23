import { expect, test } from 'vitest';
import { EndedSpans } from '../../src/instrument/ended-spans.ts';
import { IdDigest } from '../../src/trace/id-digest.ts';

const idOf = (index: number) => (BigInt(index + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(16, '0').slice(-16);

test('a receipt tells the spans that had ended when it was given, whenever it is read', () => {
  const ended = new EndedSpans();
  const plain = new IdDigest();
  const receipts = [];
  const digests = [];
  for (let index = 0; index < 200; index++) {
    ended.add(idOf(index));
    plain.add(idOf(index));
    receipts.push(ended.receipt(index % 3));
    digests.push({ spans: plain.count, open: index % 3, digest: plain.hex() });
  }
  const told = receipts.map((receipt) => ({ spans: receipt.spans, open: receipt.open, digest: receipt.digest() }));
  expect(told).toEqual(digests);
  expect(receipts[0]?.digest()).toBe(digests[0]?.digest);
});

test.each(['00ff', 'zz00000000000000', '', '00000000000000ff00000000000000ff'])(
  'an id that is none, %j, makes every later receipt equal no other',
  (strange) => {
    const ended = new EndedSpans();
    ended.add(idOf(1));
    const before = ended.receipt(0);
    ended.add(strange);
    for (let index = 2; index < 80; index++) ended.add(idOf(index));
    expect([before.digest(), ended.receipt(0).digest(), ended.count]).toEqual([idOf(1) + idOf(1), 'spoilt', 80]);
  },
);
