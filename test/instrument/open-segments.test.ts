import { expect, test } from 'vitest';
import { OpenSegments } from '../../src/instrument/open-segments.ts';
import { Segment } from '../../src/instrument/segment.ts';

const segment = (ordinal: number, traceId: string) => new Segment('00000000', ordinal, traceId);

test('a doubt reaches all open segments of its trace, and no other', () => {
  const open = new OpenSegments();
  const [one, two, other] = [segment(1, 'a'), segment(2, 'a'), segment(3, 'b')];
  for (const each of [one, two, other]) open.add(each);
  open.remove(two);
  open.doubt('a');
  expect([one.isCertain, two.isCertain, other.isCertain]).toEqual([false, true, true]);
});

test('it is bounded: what is pushed out is no longer certain', () => {
  const open = new OpenSegments(3);
  const all = Array.from({ length: 5 }, (_, index) => segment(index, `trace ${index}`));
  for (const each of all) open.add(each);
  expect(all.map(({ isCertain }) => isCertain)).toEqual([false, false, true, true, true]);
  open.remove(all[3] as Segment);
  open.add(segment(9, 'trace 9'));
  expect(all.map(({ isCertain }) => isCertain)).toEqual([false, false, true, true, true]);
});
