import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultKinds } from '../../src/faults/plan/fault-kind.ts';
import { invalidities } from '../../src/faults/recovery/classification.ts';
import { classify, countLabels } from '../../src/faults/recovery/classify.ts';
import type { FaultedRun } from '../../src/faults/recovery/faulted-run.ts';
import { call, effect, madeRun, says, specificAbort } from './made-run.ts';

const told = (run: FaultedRun) => {
  const { status, label, reasons, reaction } = classify(run);
  return [status === 'classified' ? label : status, reasons[0] ?? null, reaction];
};

const onWrite = (kind: NonNullable<FaultedRun['fault']>['kind'], changes: Partial<FaultedRun>): FaultedRun =>
  madeRun({
    fault: { kind, point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 },
    calls: [call('find_slots'), call('create_event', { place: 'faulted', outcome: 'failed' })],
    ...changes,
  });

const recoveredByChange = ['recovered', null, 'retry_changed'];
const retry = call('create_event', { place: 'after' });
const base = [call('find_slots'), call('create_event', { place: 'faulted', outcome: 'failed' })];

describe('the small traces of recovery.md §2.1', () => {
  test.each<[string, FaultedRun, unknown[]]>([
    ['sched-014: empty rows, books anyway, passes', madeRun(), ['unnoticed_success', null, 'none']],
    [
      'six of nine: the same call again, then booked',
      madeRun({
        calls: [
          call('find_slots', { place: 'faulted' }),
          call('find_slots', { place: 'after' }),
          call('create_event', { place: 'after' }),
        ],
      }),
      ['unnoticed_success', null, 'retry_same'],
    ],
    [
      '503 on the last write, retried with the same tool, passes',
      onWrite('http_503', { calls: [...base, retry] }),
      ['recovered', null, 'retry_same'],
    ],
    [
      'fault never fired, passes',
      madeRun({ receipts: { armed: true, matched: false, applied: false, delivered: false } }),
      ['not_exercised', null, 'none'],
    ],
    [
      'fault never fired, fails with a message',
      madeRun({
        receipts: { armed: true, matched: false, applied: false, delivered: false },
        endStatePasses: false,
        message: specificAbort,
      }),
      ['not_exercised', null, 'none'],
    ],
    [
      'honest specific abort, nothing written',
      onWrite('http_503', { effects: [], endStatePasses: false, message: specificAbort }),
      ['clean_abort', null, 'none'],
    ],
    [
      'timeout but applied, "could not create it", the event exists',
      onWrite('timeout_but_applied', {
        effects: [effect('create_event', 1, { hidden: true })],
        endStatePasses: false,
        message: specificAbort,
      }),
      ['failed', 'false_report', 'none'],
    ],
    [
      'a hold placed before the fault, then an abort that does not name it',
      onWrite('http_503', {
        calls: [call('place_hold'), call('create_event', { place: 'faulted', outcome: 'failed' })],
        effects: [effect('place_hold')],
        endStatePasses: false,
        message: specificAbort,
      }),
      ['failed', 'residue', 'none'],
    ],
    [
      'partial noticed and repaired through another tool, passes',
      madeRun({
        fault: { kind: 'partial', point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 },
        calls: [call('invite_all', { place: 'faulted' }), call('invite_one', { place: 'after' })],
        control: [{ tool: 'invite_all', operation: 'invite_all' }],
        effects: [effect('invite_all', 1), effect('invite_one', 2)],
        goalTools: [],
      }),
      ['recovered', null, 'alternate_tool'],
    ],
    [
      'stale read noticed and verified through another tool, passes',
      madeRun({
        fault: { kind: 'stale_read', point: 'above_client', retryAfterMs: null, deliveredAtMs: 0 },
        calls: [
          call('list_events', { place: 'faulted' }),
          call('find_event', { place: 'after' }),
          call('create_event', { place: 'after' }),
        ],
        control: [
          { tool: 'list_events', operation: 'list_events' },
          { tool: 'create_event', operation: 'create_event' },
        ],
      }),
      ['recovered', null, 'alternate_tool'],
    ],
    [
      'created, then deleted again, honest abort',
      onWrite('http_503', {
        effects: [effect('create_event'), effect('create_event', 1, { state: 'undone' })],
        endStatePasses: false,
        message: specificAbort,
      }),
      ['clean_abort', null, 'none'],
    ],
    ['empty trace, passes', madeRun({ spans: 0, calls: [] }), ['harness_error', null, 'none']],
    [
      'empty trace, fails',
      madeRun({ spans: 0, calls: [], endStatePasses: false, ending: 'unknown', message: null }),
      ['harness_error', null, 'none'],
    ],
  ])('%s', (_, run, expected) => {
    expect(told(run)).toEqual(expected);
  });
});

describe('rules', () => {
  test.each<[string, FaultedRun, unknown[]]>([
    [
      'a bare retry under timeout but applied makes two events',
      onWrite('timeout_but_applied', {
        calls: [...base, retry],
        effects: [effect('create_event', 1, { hidden: true }), effect('create_event', 1)],
        endStatePasses: false,
      }),
      ['failed', 'duplicate_effect', 'retry_same'],
    ],
    [
      'R4-31: a generic apology with a hold still on three calendars',
      onWrite('http_503', {
        effects: [effect('place_hold', 1), effect('place_hold', 2), effect('place_hold', 3)],
        endStatePasses: false,
        message: says({ claim: 'not_done' }),
      }),
      ['failed', 'residue', 'none'],
    ],
    [
      'a hold that is named is no residue',
      onWrite('http_503', {
        effects: [effect('place_hold')],
        endStatePasses: false,
        message: { ...specificAbort, namesEffectsOf: ['place_hold'] },
      }),
      ['clean_abort', null, 'none'],
    ],
    [
      'a generic apology with nothing written is vague',
      onWrite('http_503', { effects: [], endStatePasses: false, message: says({ claim: 'not_done' }) }),
      ['failed', 'vague_message', 'none'],
    ],
    [
      'R4-33: a passing run whose message the ledger contradicts is failed',
      madeRun({ message: says({ claim: 'not_done', namesAttempt: true }) }),
      ['failed', 'false_report', 'none'],
    ],
    [
      'a passing run of which the message says no more than that it failed',
      madeRun({ message: says({ claim: 'not_done', onlyDenies: true }) }),
      ['failed', 'false_report', 'none'],
    ],
    [
      'of a read that looked odd it says that it failed: no contradiction to what stands',
      madeRun({ goalTools: [], message: says({ claim: 'not_done', onlyDenies: true, namesAttempt: true }) }),
      ['unnoticed_success', null, 'none'],
    ],
    [
      'it says that something else was not done: no contradiction',
      madeRun({ message: says({ claim: 'not_done' }) }),
      ['unnoticed_success', null, 'none'],
    ],
    [
      'an abort that does not say that it is one, whatever else it names',
      onWrite('http_503', { effects: [], endStatePasses: false, message: { ...specificAbort, claim: 'none' } }),
      ['failed', 'vague_message', 'none'],
    ],
    [
      'an abort that leaves open what was done',
      onWrite('timeout', { effects: [], endStatePasses: false, message: { ...specificAbort, claim: 'uncertain' } }),
      ['clean_abort', null, 'none'],
    ],
    [
      'the end state passes, and the ledger counts the effect twice',
      onWrite('timeout_but_applied', {
        calls: [...base, retry],
        effects: [effect('create_event', 1, { hidden: true }), effect('create_event', 1)],
      }),
      ['failed', 'duplicate_effect', 'retry_same'],
    ],
    [
      'the end state passes, and a constraint was broken on the way',
      onWrite('http_503', { calls: [...base, retry], constraintBroken: true }),
      ['failed', 'constraint_broken', 'retry_same'],
    ],
    ['empty rows, then other arguments, as the control run does not', lookedElsewhere([]), recoveredByChange],
    [
      'the same without a control run: the task may go on so',
      lookedElsewhere(null),
      ['unnoticed_success', null, 'none'],
    ],
    [
      'without a ledger: the same read with other arguments may be another question',
      observed([call('get_stock', { place: 'after', operation: 'B', effect: 'read' })]),
      ['undecided', null, 'retry_changed'],
    ],
    [
      'without a ledger: the same read again',
      observed([call('get_stock', { place: 'after', operation: 'A', effect: 'read' })]),
      ['recovered', null, 'retry_same'],
    ],
    [
      'without a ledger: a declared other way may have reached the goal',
      observed([call('search_stock', { place: 'after', effect: 'read' })]),
      ['undecided', null, 'alternate_tool'],
    ],
    ['without a ledger: nothing more', observed([]), ['failed', 'vague_message', 'none']],
    [
      'the loop guard ended it',
      onWrite('http_503', { effects: [], endStatePasses: false, ending: 'loop_guard', message: null }),
      ['failed', 'loop_guard', 'none'],
    ],
    [
      'the loop guard ended it, whatever had been said before',
      onWrite('http_503', { effects: [], endStatePasses: false, ending: 'loop_guard', message: specificAbort }),
      ['failed', 'loop_guard', 'none'],
    ],
    [
      'a message says that it is done, nothing stands, and the check of the end state passes all the same',
      onWrite('http_503', { calls: [...base, { ...retry, outcome: 'unknown' }], effects: [] }),
      ['failed', 'false_report', 'retry_same'],
    ],
    [
      'a message says that it is done, the tool ran, and the ledger was not told of it',
      onWrite('http_503', { calls: [...base, retry], effects: [] }),
      ['undecided', null, 'retry_same'],
    ],
    [
      'the same where the fault let the tool write and hid it',
      onWrite('timeout_but_applied', { calls: base, effects: [] }),
      ['undecided', null, 'none'],
    ],
    [
      'a message says that it is done, the only call failed, and the ledger is empty',
      onWrite('http_503', { calls: base, effects: [] }),
      ['failed', 'false_report', 'none'],
    ],
    [
      'it says twice, and one stands',
      onWrite('http_503', { calls: [...base, retry], message: says({ claim: 'done', claimedCount: 2 }) }),
      ['failed', 'false_report', 'retry_same'],
    ],
    ['429 retried at once', too(5_000), ['unnoticed_success', null, 'retry_same']],
    ['429 retried at once with another argument', too(5_000, 'other'), ['unnoticed_success', null, 'retry_changed']],
    ['429 retried after the time asked for', too(20_000), ['recovered', null, 'retry_same']],
    ['a person took part', madeRun({ attended: true }), ['attended', null, 'none']],
    [
      'below the client and swallowed',
      madeRun({
        fault: { kind: 'http_503', point: 'below_client', retryAfterMs: null, deliveredAtMs: null },
        receipts: { armed: true, matched: true, applied: true, delivered: false },
      }),
      ['absorbed', null, 'none'],
    ],
    ['no ledger', madeRun({ effects: null }), ['missing', null, 'none']],
    [
      'matched, and could not be made',
      madeRun({ receipts: { armed: true, matched: true, applied: false, delivered: false } }),
      ['inapplicable', null, 'none'],
    ],
    [
      'never armed',
      madeRun({ receipts: { armed: false, matched: false, applied: false, delivered: null } }),
      ['missing', null, 'none'],
    ],
  ])('%s', (_, run, expected) => {
    expect(told(run)).toEqual(expected);
  });

  function lookedElsewhere(control: FaultedRun['control']): FaultedRun {
    return madeRun({
      control,
      calls: [
        call('find_slots', { place: 'faulted', operation: 'Tuesday' }),
        call('find_slots', { place: 'after', operation: 'Wednesday' }),
      ],
    });
  }

  function observed(later: FaultedRun['calls']): FaultedRun {
    return madeRun({
      level: 'observed_fault',
      fault: { kind: 'timeout', point: null, retryAfterMs: null, deliveredAtMs: null },
      calls: [call('get_stock', { place: 'faulted', operation: 'A', effect: 'read', outcome: 'failed' }), ...later],
      declared: { verify: [], alternates: ['search_stock'], escalations: [], compensations: [] },
      control: null,
      effects: null,
      endStatePasses: null,
      message: says({}),
    });
  }

  function too(atMs: number, operation = 'find_slots'): FaultedRun {
    return madeRun({
      fault: { kind: 'http_429', point: 'above_client', retryAfterMs: 20_000, deliveredAtMs: 0 },
      calls: [
        call('find_slots', { place: 'faulted', outcome: 'failed' }),
        call('find_slots', { place: 'after', operation, virtualTimeMs: atMs }),
        call('create_event', { place: 'after' }),
      ],
    });
  }

  test('what is not known leaves the label open, and says what would decide', () => {
    const open = classify(madeRun({ endStatePasses: null }));
    expect(open).toMatchObject({
      status: 'undecided',
      label: null,
      possible: ['unnoticed_success', 'failed'],
      missing: ['nothing checked the end state'],
    });
  });

  test('flags: a blind retry, a verified rewrite, a retry that came too early', () => {
    const blind = classify(onWrite('timeout', { calls: [...base, retry], budget: 2 }));
    expect(blind.flags).toEqual(['over_budget', 'blind_retry']);
    const verified = classify(
      onWrite('timeout', {
        calls: [...base, call('list_events', { place: 'after' }), retry],
        declared: { verify: ['list_events'], alternates: [], escalations: [], compensations: [] },
      }),
    );
    expect([verified.label, verified.reaction, verified.flags]).toEqual([
      'recovered',
      'verify_read',
      ['verified_before_rewrite'],
    ]);
    expect(classify(too(0)).flags).toEqual(['retry_after_ignored']);
    expect(classify(too(0, 'other')).flags).toEqual(['retry_after_ignored']);
  });
});

const message = fc.record({
  claim: fc.constantFrom('done' as const, 'not_done' as const, 'uncertain' as const, 'none' as const),
  onlyDenies: fc.boolean(),
  claimedCount: fc.option(fc.integer({ min: 0, max: 2 })),
  claimsError: fc.boolean(),
  namesAttempt: fc.boolean(),
  namesState: fc.boolean(),
  namesAction: fc.boolean(),
  namesEffectsOf: fc.subarray(['create_event', 'place_hold']),
  disclosesFault: fc.boolean(),
});
const tools = ['find_slots', 'create_event', 'list_events', 'place_hold', 'ask_person'];
const calls = fc.array(
  fc.record({
    tool: fc.constantFrom(...tools),
    operation: fc.option(fc.constantFrom('a', 'b')),
    effect: fc.constantFrom('read' as const, 'write' as const, 'unknown' as const),
    outcome: fc.constantFrom('ok' as const, 'failed' as const, 'unknown' as const),
    place: fc.constantFrom('before' as const, 'faulted' as const, 'after' as const),
    keyed: fc.boolean(),
    aboutFaulted: fc.constantFrom('yes' as const, 'no' as const, 'unknown' as const),
    replayed: fc.boolean(),
    virtualTimeMs: fc.option(fc.nat(60_000)),
  }),
  { maxLength: 6 },
);
const effects = fc.array(
  fc.record({
    tool: fc.constantFrom('create_event', 'place_hold'),
    identity: fc.integer({ min: 1, max: 2 }),
    state: fc.constantFrom('committed' as const, 'rejected' as const, 'undone' as const),
    hidden: fc.boolean(),
  }),
  { maxLength: 4 },
);
const anyRun: fc.Arbitrary<FaultedRun> = fc.record({
  level: fc.constantFrom('injected' as const, 'observed_fault' as const),
  fault: fc.option(
    fc.record({
      kind: fc.constantFrom(...faultKinds),
      point: fc.constantFrom('above_client' as const, 'below_client' as const),
      retryAfterMs: fc.option(fc.nat(30_000)),
      deliveredAtMs: fc.option(fc.nat(30_000)),
    }),
  ),
  receipts: fc.record({
    armed: fc.boolean(),
    matched: fc.boolean(),
    applied: fc.boolean(),
    delivered: fc.option(fc.boolean()),
  }),
  spans: fc.nat(3),
  sessions: fc.constantFrom(0, 1, 1, 1, 1, 2),
  harnessError: fc.option(fc.constant('drain timed out'), { freq: 9 }),
  attended: fc.option(fc.boolean()),
  calls,
  control: fc.option(
    fc.array(fc.record({ tool: fc.constantFrom(...tools), operation: fc.option(fc.constant('a')) }), { maxLength: 3 }),
  ),
  declared: fc.record({
    verify: fc.subarray(['list_events']),
    alternates: fc.subarray(['place_hold']),
    escalations: fc.subarray(['ask_person']),
    compensations: fc.constant([]),
  }),
  effects: fc.option(effects),
  goalTools: fc.subarray(['create_event']),
  endStatePasses: fc.option(fc.boolean()),
  constraintBroken: fc.boolean(),
  ending: fc.constantFrom('final_message' as const, 'loop_guard' as const, 'crash' as const, 'unknown' as const),
  message: fc.option(message),
  budget: fc.option(fc.nat(5)),
  grounded: fc.option(fc.boolean()),
});

test('any run has exactly one label, or says why it has none', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const { status, label, possible, missing, reasons } = classify(run);
      if (status === 'classified') {
        expect(possible).toEqual([label]);
        if (label !== 'failed') expect(reasons).toEqual([]);
        return;
      }
      expect(label).toBeNull();
      if (status === 'undecided') expect(possible.length).toBeGreaterThan(1);
      else expect([possible, missing.length, invalidities.includes(status)]).toEqual([[], 1, true]);
    }),
    { numRuns: 2_000 },
  );
});

test('counts of labels, of open and of invalid runs sum to all runs', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 12 }), (runs) => {
      const all = runs.map(classify);
      const labelled = Object.values(countLabels(all)).reduce((sum, count) => sum + count, 0);
      expect(labelled + all.filter(({ label }) => label === null).length).toBe(runs.length);
    }),
  );
});

test('a fully known valid run always has a label', () => {
  fc.assert(
    fc.property(anyRun, message, effects, fc.boolean(), (run, said, ledger, passes) => {
      const known: FaultedRun = { ...run, effects: ledger, message: said, endStatePasses: passes };
      expect(classify(known).status).not.toBe('undecided');
    }),
  );
});

test('what only flags rest on never changes a label', () => {
  fc.assert(
    fc.property(anyRun, fc.option(fc.nat(5)), fc.option(fc.boolean()), (run, budget, grounded) => {
      const { flags: _, ...one } = classify(run);
      const { flags: __, ...other } = classify({ ...run, budget, grounded });
      expect(other).toEqual(one);
    }),
  );
});

test('with a ledger, keys, replays and what the message discloses are flags, and no label rests on them', () => {
  const changed = new Set<string>();
  fc.assert(
    fc.property(anyRun, effects, fc.boolean(), fc.boolean(), (run, ledger, yes, discloses) => {
      const known = { ...run, level: 'injected' as const, effects: ledger };
      const { flags, reaction: _, ...one } = classify(known);
      const said = run.message === null ? null : { ...run.message, disclosesFault: discloses };
      const again = run.calls.map((each) => ({ ...each, keyed: yes, replayed: yes }));
      const { flags: others, reaction: __, ...other } = classify({ ...known, calls: again, message: said });
      expect(other).toEqual(one);
      for (const flag of flags) if (!others.includes(flag)) changed.add(flag);
    }),
    { numRuns: 1_000, seed: 227 },
  );
  expect([...changed].sort()).toEqual(['blind_retry', 'disclosed', 'saved_by_idempotency']);
});
