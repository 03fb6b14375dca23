import { expect, test } from 'vitest';
import { ReadingTurns } from '../../../collectors/http/reading-turns.ts';
import { Slots } from '../../../collectors/http/slots.ts';

test('answers are read in the order they came, one a turn of the event loop', async () => {
  const turns = new ReadingTurns();
  const seen: string[] = [];
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const reads = ['a', 'b', 'c'].map(async (name, i) => {
    await turns.next(10 * (i + 1));
    seen.push(`${name} ${turn} ${turns.bytes}`);
  });
  expect([seen, turns.bytes]).toEqual([[], 60]);
  await Promise.all(reads);
  counting = false;
  const atTurn = seen.map((each) => Number(each.split(' ')[1]));
  expect(seen.map((each) => each.replace(/ \d+ /, ' '))).toEqual(['a 50', 'b 30', 'c 0']);
  expect(new Set(atTurn).size).toBe(3);
});

test('what is queued when an answer comes goes out before it is read', async () => {
  const turns = new ReadingTurns();
  const order: string[] = [];
  const first = turns.next(1).then(() => order.push('first is read'));
  const second = turns.next(1).then(() => order.push('second is read'));
  await first;
  // In the turn of the first, a third comes, and the request that follows it is queued behind our own turn.
  const third = turns.next(1).then(() => order.push('third is read'));
  setImmediate(() => order.push('the next request goes out'));
  await Promise.all([second, third]);
  expect(order).toEqual(['first is read', 'the next request goes out', 'second is read', 'third is read']);
});

test('so many slots, the others wait in turn', async () => {
  const slots = new Slots(2);
  const order: string[] = [];
  expect([slots.take(), slots.take()]).toEqual([undefined, undefined]);
  const waiting = ['third', 'fourth'].map(async (name) => {
    await slots.take();
    order.push(name);
  });
  slots.giveBack();
  await waiting[0];
  expect(order).toEqual(['third']);
  slots.giveBack();
  await waiting[1];
  slots.giveBack();
  slots.giveBack();
  expect([order, slots.take(), slots.take()]).toEqual([['third', 'fourth'], undefined, undefined]);
  expect(slots.take()).toBeInstanceOf(Promise);
});
