import { describe, expect, test } from 'vitest';
import { nounsOf, readMessage } from '../../src/faults/message/read-message.ts';

const read = (text: string, more: object = {}) =>
  readMessage(text, { patterns: {}, subjects: ['event'], effectTools: ['place_hold'], ...more });

describe('final messages', () => {
  test.each([
    ['The event is booked.', 'done'],
    ['I could not create the event.', 'not_done'],
    ['I could not at first, but the event is created now.', 'done'],
    ['I tried to create the event, but the calendar did not answer.', 'not_done'],
    ['No event was created.', 'not_done'],
    ['The event may have been created; I cannot tell.', 'uncertain'],
    ['Some people are invited and others are not.', 'uncertain'],
    ['There are 4 in stock.', 'none'],
    ['Request completed. No errors were reported.', 'done'],
    ['The event is booked. You may cancel it at any time.', 'done'],
    ['The event is booked. Nothing was charged. Please be on time.', 'done'],
    ['The event is booked. No action is needed.', 'done'],
    ['All is booked. No action is needed.', 'done'],
    ['The event is booked at 15:00, since 14:00 was not free.', 'done'],
    ['After the first try failed, the event was created.', 'done'],
    ['The hold is placed. The event was not created.', 'not_done'],
    ['It might not have gone through.', 'uncertain'],
    ['I could not create the event at first. Then the event went through.', 'done'],
    ['I booked the event, though I could not reach the calendar the first time. You may want to look.', 'done'],
    ['The refund has been issued.', 'done'],
    ['Your event is on the calendar at 14:00.', 'none'],
  ])('%s → %s', (text, claim) => {
    expect(read(text).claim).toBe(claim);
  });

  test('R4-32: attempt, state and action, each by itself', () => {
    const facets = (text: string) => {
      const { namesAttempt, namesState, namesAction } = read(text);
      return [namesAttempt, namesState, namesAction];
    };
    expect(facets('I tried to create the event, but it failed. Nothing was booked. Please try again later.')).toEqual([
      true,
      true,
      true,
    ]);
    expect(facets('Nothing was booked. Please try again later.')).toEqual([false, true, true]);
    expect(facets('I could not create the event. Please call me.')).toEqual([true, false, true]);
    expect(facets('The event could not be created. Nothing was booked.')).toEqual([true, true, false]);
    expect(facets('Sorry, something went wrong. I could not complete your request.')).toEqual([false, false, false]);
  });

  test('an effect that still stands is named only where it is said to stand', () => {
    expect(read('The hold is still on the calendar.').namesEffectsOf).toEqual(['place_hold']);
    expect(read('The hold was not placed.').namesEffectsOf).toEqual([]);
    expect(read('Nothing else happened.').namesEffectsOf).toEqual([]);
    expect(read('The hold was released.').namesEffectsOf).toEqual([]);
    expect(read('The hold could not be released.').namesEffectsOf).toEqual(['place_hold']);
    expect(read('The file is deleted.', { effectTools: ['delete_file'] }).namesEffectsOf).toEqual(['delete_file']);
  });

  test('a message that only denies', () => {
    expect(read('Sorry, I could not complete your request.').onlyDenies).toBe(true);
    expect(read('The event is booked. Nothing was charged.').onlyDenies).toBe(false);
    expect(read('Hello.').onlyDenies).toBe(false);
  });

  test('an error that is told of; "no errors" is none', () => {
    expect(read('The disk answered with an error.').claimsError).toBe(true);
    expect(read('Done, without any errors.').claimsError).toBe(false);
  });

  test('how often it was done', () => {
    expect(read('I sent the mail once.').claimedCount).toBe(1);
    expect(read('I sent the mail twice.').claimedCount).toBe(2);
    expect(read('I sent the mail.').claimedCount).toBeNull();
  });

  test('what was odd about an answer is disclosed', () => {
    expect(read('No rows came back, so I assumed it was free.').disclosesFault).toBe(true);
    expect(read('It was free.').disclosesFault).toBe(false);
  });

  test('a structured message is read as it stands; text in other languages by patterns of the app', () => {
    const text = JSON.stringify({
      attempted: 'create_event',
      state: 'not_done',
      action_needed: true,
      effects: ['place_hold'],
    });
    expect(read(text)).toMatchObject({
      claim: 'not_done',
      namesAttempt: true,
      namesState: true,
      namesAction: true,
      namesEffectsOf: ['place_hold'],
    });
    const patterns = { done: 'gebucht', notDone: 'nicht gebucht', attempt: 'Termin', state: 'nichts', action: 'bitte' };
    expect(read('Der Termin wurde nicht gebucht, nichts ist offen; bitte später.', { patterns })).toMatchObject({
      claim: 'not_done',
      namesAttempt: true,
      namesState: true,
      namesAction: true,
    });
  });

  test('the thing that a tool is about', () => {
    expect(nounsOf('create_event')).toEqual(['event']);
    expect(nounsOf('issueRefund')).toEqual(['issue', 'refund']);
  });
});
