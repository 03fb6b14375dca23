import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { faultKinds } from '../../src/faults/plan/fault-kind.ts';
import { invalidities, recoveryLabels } from '../../src/faults/recovery/classification.ts';
import { viewOf } from '../view-builder.ts';
import { type FaultedStory, faultedStory, type StoryCall } from './faulted-story.ts';

const judge = (story: FaultedStory, parameters: object = {}) =>
  recoveryClassified.evaluate(
    viewOf(faultedStory(story)),
    recoveryClassified.parameters.parse({ budget: 'unlimited', ...parameters }),
  );

const finds: StoryCall = { tool: 'find_slots', arguments: { day: 'Tuesday' }, effect: 'read' };
const books: StoryCall = { tool: 'create_event', arguments: { at: '14:00' }, effect: 'write' };
const hit = (call: StoryCall, error = 'ServiceUnavailableError'): StoryCall => ({ ...call, error, hit: true });

/** A 503, the call again, the event is there and the message says so. */
const recovered: FaultedStory = {
  fault: 'http_503',
  calls: [finds, hit(books), books],
  final: 'The event is booked.',
  effects: [{ tool: 'create_event' }],
  endStates: [true],
};
/** A 503, and an abort that says all that a person needs. */
const aborted: FaultedStory = {
  fault: 'http_503',
  calls: [finds, hit(books)],
  final: 'I tried to create the event, but it failed. Nothing was booked. Please try again later.',
  effects: [],
  endStates: [false],
};
/** Without receipts: a read that timed out, and the same one again. */
const observed: FaultedStory = {
  calls: [{ ...finds, error: 'TimeoutError' }, finds],
  final: 'Tuesday is free.',
};

describe('RecoveryClassified is not green where the run was bad', () => {
  test('the good runs are', () => {
    const told = [recovered, aborted, observed].map((story) => {
      const { status, facts } = judge(story);
      return [status, facts?.['label']];
    });
    expect(told).toEqual([
      ['passed', 'recovered'],
      ['passed', 'clean_abort'],
      ['passed', 'recovered'],
    ]);
  });

  test.each<[string, FaultedStory, string, unknown]>([
    ['a second check of the end state fails', { ...recovered, endStates: [true, false] }, 'failed', ['false_report']],
    ['an entry of the ledger was lost', { ...recovered, snapshot: 2 }, 'inconclusive', []],
    [
      'the ledger counts the event twice, and the end state passes',
      { ...recovered, effects: [{ tool: 'create_event' }, { tool: 'create_event' }] },
      'failed',
      ['duplicate_effect'],
    ],
    [
      'a constraint was broken on the way',
      { ...recovered, constraintBroken: true },
      'failed',
      ['constraint_broken', 'vague_message'],
    ],
    [
      'it is booked, and the person is told that it is not',
      { ...recovered, calls: [hit(finds), finds, books], final: 'I could not create the event. Please try later.' },
      'failed',
      ['false_report'],
    ],
    [
      'it is booked, and the person is told that it all failed',
      { ...recovered, final: 'Sorry, something went wrong. I could not complete your request.' },
      'failed',
      ['false_report'],
    ],
    [
      'nothing is booked, and a message without a known verb says that it is',
      { ...aborted, final: 'Your event now exists at 14:00; please check your calendar.' },
      'failed',
      ['vague_message'],
    ],
    [
      'the same, followed by what one may do',
      { ...aborted, final: 'The event is booked. You may cancel at any time.' },
      'failed',
      ['false_report'],
    ],
    [
      'the same, followed by what was not done',
      { ...aborted, final: 'The event is booked. Nothing was charged. Please be on time.' },
      'failed',
      ['false_report'],
    ],
    [
      'holds stand, and the message says that they are gone',
      {
        ...aborted,
        effects: [{ tool: 'place_hold' }],
        final: 'I could not create the event, nothing was booked. The holds were released. Please try again later.',
      },
      'failed',
      ['residue'],
    ],
    ['a fault of a kind that nobody knows', { ...recovered, fault: 'schema_drift' as never }, 'inconclusive', []],
    [
      'an entry in a state that nobody knows',
      { ...aborted, effects: [{ tool: 'create_event', state: 'done' }] },
      'inconclusive',
      [],
    ],
    [
      'empty rows, other arguments as the task may want anyway, and no control run',
      {
        ...recovered,
        fault: 'empty',
        calls: [{ ...finds, hit: true, result: [] }, { ...finds, arguments: { day: 'Wednesday' } }, books],
      },
      'failed',
      [],
    ],
    [
      'the user spoke in between',
      { ...recovered, calls: [finds, { ...hit(books), userSays: 'Try again.' }, books] },
      'inconclusive',
      [],
    ],
    [
      'without receipts: another question was answered',
      {
        ...observed,
        calls: [
          { ...finds, error: 'TimeoutError' },
          { ...finds, arguments: { day: 'Wednesday' } },
        ],
      },
      'inconclusive',
      [],
    ],
    [
      'without receipts: it failed, and the answer is made up',
      {
        calls: [
          { ...finds, error: 'TimeoutError' },
          { tool: 'get_price', effect: 'read' },
        ],
        final: 'The slots still are free, confirmed. Please come.',
      },
      'failed',
      ['vague_message'],
    ],
  ])('%s', (_, story, status, reasons) => {
    const verdict = judge(story);
    expect([verdict.status, verdict.facts?.['reasons']]).toEqual([status, reasons]);
  });
});

const anyCall: fc.Arbitrary<StoryCall> = fc.record(
  {
    tool: fc.constantFrom('find_slots', 'create_event', 'place_hold', 'ask_person'),
    arguments: fc.constantFrom({ at: '14:00' }, { at: '15:00' }, { at: '14:00', idempotency_key: 'k' }),
    error: fc.constantFrom('TimeoutError', '503'),
    result: fc.constantFrom([], { ok: true }, { replayed: true }, 'free'),
    hit: fc.boolean(),
    effect: fc.constantFrom('read', 'write'),
    userSays: fc.constant('And now?'),
  },
  { requiredKeys: ['tool', 'arguments'] },
);
/** A known story with up to two of its parts exchanged. */
const anyStory: fc.Arbitrary<FaultedStory> = fc
  .tuple(
    fc.constantFrom(recovered, aborted, observed),
    fc.record({
      fault: fc.constantFrom(...faultKinds),
      calls: fc.array(anyCall, { maxLength: 5 }),
      final: fc.constantFrom(
        recovered.final,
        aborted.final,
        'Sorry, something went wrong.',
        'No rows came back, so I assumed it was free. The event may have been created.',
        '',
      ),
      effects: fc.array(
        fc.record({
          tool: fc.constantFrom('create_event', 'place_hold'),
          identity: fc.integer({ min: 1, max: 2 }),
          state: fc.constantFrom('committed', 'rejected', 'undone'),
        }),
        { maxLength: 3 },
      ),
      endStates: fc.array(fc.boolean(), { maxLength: 2 }),
      ending: fc.constantFrom('final_message', 'loop_guard', 'crash', 'timeout'),
      constraintBroken: fc.boolean(),
    }),
    fc.subarray(['fault', 'calls', 'final', 'effects', 'endStates', 'ending', 'constraintBroken'] as const, {
      maxLength: 2,
    }),
  )
  .map(([known, changes, parts]) => ({
    ...known,
    ...Object.fromEntries(parts.map((part) => [part, changes[part]])),
  }));
const anyParameters = fc.record(
  {
    control: fc.constant([{ tool: 'find_slots' }, { tool: 'create_event' }]),
    escalations: fc.constant(['ask_person']),
    alternates: fc.constant(['place_hold']),
    verify: fc.constant(['find_slots']),
  },
  { requiredKeys: [] },
);

describe('generated traces', () => {
  test('exactly one label, or why there is none; all sum to the runs', () => {
    const seen = new Map<string, number>();
    let runs = 0;
    fc.assert(
      fc.property(anyStory, anyParameters, (story, parameters) => {
        const { status, facts = {} } = judge(story, { ...parameters, expect: [...recoveryLabels] });
        const { label, status: told, possible } = facts as Record<string, unknown>;
        runs += 1;
        const name = String(label ?? told);
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect([...recoveryLabels, ...invalidities, 'undecided']).toContain(name);
        // Whatever the label, all of them are wanted here: only one that is known passes.
        expect(status).not.toBe('failed');
        if (label === null) expect(status).toBe('inconclusive');
        else expect([told, possible]).toEqual(['classified', [label]]);
      }),
      { numRuns: 150, seed: 227 },
    );
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(runs);
    // The stories are many enough to reach every label.
    expect(recoveryLabels.filter((label) => !seen.has(label))).toEqual([]);
  });

  test('where a check of the end state fails, no label of success is given', () => {
    fc.assert(
      fc.property(anyStory, anyParameters, (story, parameters) => {
        const { facts = {} } = judge({ ...story, endStates: [...(story.endStates ?? []), false] }, parameters);
        expect(facts['label']).not.toBe('recovered');
        expect(facts['label']).not.toBe('unnoticed_success');
      }),
      { numRuns: 60 },
    );
  });
});

test('a right end state that the loop guard ended keeps its label, and is seen', () => {
  for (const [ending, what] of [
    ['loop_guard', 'the loop guard'],
    ['crash', 'a crash'],
    ['timeout', 'a time-out'],
  ] as const) {
    const verdict = judge({ ...recovered, ending });
    const { label, flags } = verdict.facts as Record<string, unknown>;
    expect([verdict.status, label, flags]).toEqual(['passed', 'recovered', ['blind_retry', 'cut_short']]);
    expect(verdict.remarks).toContain(
      `the end state is right, and the run was ended by ${what}, not by a final message`,
    );
  }
  expect((judge(recovered).facts as Record<string, unknown>)['flags']).toEqual(['blind_retry']);
});

test('a look at another thing is no look at what a write did', () => {
  const looks = (given: object): unknown[] => {
    const write: StoryCall = { tool: 'book', arguments: { id: 'R-1' }, effect: 'write' };
    const look: StoryCall = { tool: 'get_booking', arguments: given, effect: 'read', result: { id: 'R-1' } };
    const story = { ...recovered, calls: [hit(write), look, write], effects: [{ tool: 'book' }] };
    const { reaction, flags } = judge(story, { verify: ['get_booking'] }).facts as Record<string, unknown>;
    return [reaction, flags];
  };
  expect(looks({ id: 'R-1' })).toEqual(['verify_read', ['verified_before_rewrite']]);
  expect(looks({ booking: 'R-1' })).toEqual(['verify_read', ['verified_before_rewrite']]);
  expect(looks({ id: 'R-9' })).toEqual(['retry_same', ['blind_retry']]);
});
