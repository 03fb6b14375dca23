import { expect, test } from 'vitest';
import { OpenSegments } from '../../src/instrument/open-segments.ts';
import { Segment } from '../../src/instrument/segment.ts';

const segment = (ordinal: number, traceId: string) => new Segment({}, '00000000', ordinal, traceId);

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

test('the newest of a trace is found whatever was added, taken out and added again, before and after the first question', () => {
  const open = new OpenSegments();
  const [one, two, three] = [segment(1, 'a'), segment(2, 'a'), segment(3, 'a')];
  for (const each of [one, two, three, two]) open.add(each);
  open.remove(three);
  expect(open.newestOf('a')).toBe(two);
  open.remove(two);
  open.remove(two);
  expect(open.newestOf('a')).toBe(one);
  open.add(three);
  expect(open.newestOf('a')).toBe(three);
  for (const each of [one, three]) open.remove(each);
  expect(open.newestOf('a')).toBeUndefined();
});

test('of a trace with many segments only the one that is pushed out is doubted', () => {
  const open = new OpenSegments(2);
  const all = Array.from({ length: 3 }, (_, index) => segment(index, 'a'));
  for (const each of all) open.add(each);
  expect(all.map(({ isCertain }) => isCertain)).toEqual([false, true, true]);
  expect(open.newestOf('a')).toBe(all[2]);
});
