import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pairClaim } from '../../src/faults/core-227/pair-claim.ts';
import { RequestGuard, requireControls } from '../../src/faults/core-227/preflight.ts';
import { type Core227Subject, runCore227Trial } from '../../src/faults/core-227/run-trial.ts';
import { valueTools } from '../../src/faults/core-227/value-tools.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { viewOf } from '../view-builder.ts';
import { record, setUpTracing } from './recorder.ts';
import { type Asked, controls, type Quirks, read, script, scripted, store } from './scripted-subject.ts';

beforeAll(setUpTracing);
afterEach(() => vi.useRealTimers());

/** Who let a live provider be asked, and when. */
const approvedBy = 'the owner, 2026-11-30';

/** Without the machinery of traces, whose timers are real. */
const emptyRecord: Parameters<typeof runCore227Trial>[1]['record'] = async (work) => ({
  value: await work(),
  view: viewOf([{ id: '1', name: 'GET /' }]),
});

async function judge(turns: readonly (Asked | string)[], preset: 'strict' | 'general' = 'strict', quirks: Quirks = {}) {
  const outcome = await runCore227Trial(scripted(turns, quirks), { evidenceLevel: 'instrumentation', preset, record });
  if (outcome.status !== 'judged') throw new Error(outcome.reason);
  return outcome.report;
}

describe('CORE-227', () => {
  test('R0-18, R0-10: read, read again, record 42, "42" passes; the report keeps all that was counted', async () => {
    expect(await judge(script)).toEqual({
      preset: 'strict',
      passed: true,
      failures: [],
      evidenceLevel: 'instrumentation',
      boundary: 'chat',
      finalAnswer: '42',
      readAttempts: 2,
      recordAttempts: 1,
      appliedEffects: 1,
      duplicateEffects: 0,
      recordedValues: [42],
      modelCalls: 4,
      stopReason: 'stop',
      errorObservedIn: 2,
      readRounds: [1, 2],
      recordRounds: [3],
      routeEntries: 1,
      notCovered: ['streaming', 'typed projection', 'warnings of constructors', 'default admission'],
    });
  });

  test('R0-13: two reads in one round, before the failure could be seen, are no recovery', async () => {
    const { passed, failures } = await judge([[...read, ...read], store(42), '42'], 'general');
    expect([passed, failures]).toEqual([false, ['the read was not tried again in a round that had seen its error']]);
  });

  test('R0-14: a right-looking answer alone does not pass', async () => {
    const { passed, failures, finalAnswer } = await judge(['42'], 'general');
    expect([passed, finalAnswer]).toEqual([false, '42']);
    expect(failures).toContain('expected one applied record, got 0');
  });

  test('R0-09, R0-11: a second record is counted although it was rejected, and fails the trial', async () => {
    const report = await judge([read, read, store(42), store(42), '42'].slice(0, 4), 'general');
    expect([report.appliedEffects, report.duplicateEffects, report.recordedValues]).toEqual([1, 1, [42]]);
    expect(report.failures).toContain('expected no second record, got 1');
  });

  test('another value, or one that was recorded before it was read', async () => {
    expect((await judge([read, read, store(41), '42'])).failures).toEqual(['another value was recorded than was read']);
    expect((await judge([read, store(42), read, '42'], 'general')).failures).toEqual([
      'the value was recorded before it was read',
    ]);
  });

  test('R0-12: the strict preset wants exactly four calls; the general rule lets a slower recovery pass', async () => {
    const report = await judge([[...read], read, store(42), '42'], 'strict');
    expect(report.passed).toBe(true);
    const three = await judge([read, [...read, ...read], store(42), '42'], 'strict');
    expect(three.failures).toEqual(['expected reads in 1, 2 and the record in 3, got reads in 1, 2, 2, record in 3']);
    expect((await judge([read, [...read, ...read], store(42), '42'], 'general')).passed).toBe(true);
  });

  test('R0-12: five calls recover by the general rule, and are too many for the strict preset', async () => {
    const five = [read, read, store(42), [], '42'];
    expect((await judge(five, 'general', { guarded: false })).passed).toBe(true);
    const { failures, modelCalls } = await judge(five, 'strict', { guarded: false });
    expect([failures, modelCalls]).toEqual([['expected four model calls, got 5'], 5]);
  });

  test('R0-11: each thing that a pass needs, missing by itself', async () => {
    expect((await judge([read, read, store(42), '41'])).failures).toEqual(['the final answer is another one']);
    expect((await judge([read, read, '42'], 'general')).failures).toEqual([
      'expected one applied record, got 0',
      'another value was recorded than was read',
    ]);
    const twice: Core227Subject<RequestGuard> = {
      ...scripted(script),
      construct: (model, tools) => (signal) =>
        agentRun({ name: 'native' }, () => scripted(script).construct(model, tools)(signal)),
    };
    expect(await runCore227Trial(twice, { evidenceLevel: 'scripted_model', record })).toMatchObject({
      report: { routeEntries: 2, failures: ['expected the route to be entered once, got 2'] },
    });
  });

  test.each<[string, Quirks['mapError'], string[]]>([
    ['in the words of the app', (error) => `The tool said: ${String(error)}`, []],
    [
      'swallowed: a made-up answer is no error',
      () => ({ value: 0 }),
      [
        'no request of the model holds the error of the failed read',
        'the read was not tried again in a round that had seen its error',
      ],
    ],
  ])('R0-10, R0-11: the error that the model is sent, %s', async (_, mapError, wanted) => {
    expect((await judge(script, 'general', mapError === undefined ? {} : { mapError })).failures).toEqual(wanted);
  });

  test('R0-15: a stop reason that the route does not expose is null, and decides nothing', async () => {
    const outcome = await runCore227Trial(scripted(script, { finish: null }), {
      evidenceLevel: 'scripted_model',
      record,
    });
    expect(outcome).toMatchObject({
      status: 'judged',
      report: { passed: true, stopReason: null, evidenceLevel: 'scripted_model' },
    });
  });

  test.each([
    ['tokens', { ...controls, maxTokens: undefined }, 'expected maxTokens 256'],
    ['retries', { ...controls, maxRetries: 2 }, 'expected maxRetries 0'],
    ['cache', { ...controls, cache: undefined }, 'expected the cache switched off'],
    ['callbacks', { ...controls, callbacks: undefined }, 'expected callbacks as a list, or null for none'],
  ])('R0-23: a subject without the control of %s is refused', (control, given, wanted) => {
    expect(() => requireControls(given)).toThrow(`the control of ${control} is missing or not verified: ${wanted}`);
    expect(() => requireControls(controls)).not.toThrow();
    expect(() => requireControls({ ...controls, callbacks: [() => {}] })).not.toThrow();
  });

  test('R0-23: a trial of such a subject never makes its model', async () => {
    const made: unknown[] = [];
    for (const missing of ['maxTokens', 'maxRetries', 'cache', 'callbacks']) {
      const subject: Core227Subject<RequestGuard> = {
        ...scripted(script),
        controls: { ...controls, [missing]: undefined },
        createModel: (guard) => {
          made.push(guard);
          return guard;
        },
      };
      await expect(runCore227Trial(subject, { evidenceLevel: 'live_n1', approvedBy, record })).rejects.toThrow(
        'is missing or not verified',
      );
    }
    expect(made).toEqual([]);
  });

  test('R0-24: the fifth request is stopped before the network', async () => {
    let sent = 0;
    const guard = new RequestGuard();
    const send = guard.fetch(async () => {
      sent += 1;
      return new Response('ok');
    });
    for (let at = 0; at < 4; at += 1) await send('http://model.test');
    await expect(send('http://model.test')).rejects.toThrow('the model was asked more than 4 times in one trial');
    expect([sent, guard.requests]).toEqual([4, 4]);
    const report = await judge([read, read, read, read, store(42), '42'], 'general');
    expect([report.passed, report.modelCalls]).toEqual([false, 4]);
  });

  test('R0-07: a route that cannot be constructed is not evaluable, and no failure', async () => {
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      construct: () => {
        throw new TypeError('no such option');
      },
    };
    expect(await runCore227Trial(subject, { evidenceLevel: 'live_n1', approvedBy, record })).toEqual({
      status: 'notApplicable',
      reason: 'the route cannot be constructed: TypeError',
    });
  });

  test('R0-25: sixty seconds, where nothing else is said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let aborted = false;
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      construct: () => (signal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        return new Promise(() => {});
      },
    };
    let ended: unknown;
    const trial = runCore227Trial(subject, { evidenceLevel: 'live_n1', approvedBy, record: emptyRecord }).then(
      (outcome) => {
        ended = outcome;
      },
    );
    await vi.advanceTimersByTimeAsync(59_999);
    expect([aborted, ended]).toEqual([false, undefined]);
    await vi.advanceTimersByTimeAsync(1);
    await trial;
    expect([aborted, ended]).toMatchObject([true, { status: 'judged', unclean: true }]);
  });

  test('background work is waited for before anything is counted', async () => {
    const order: string[] = [];
    const plain = scripted(script);
    const subject: Core227Subject<RequestGuard> = {
      ...plain,
      construct: (model, tools) => async (signal) => {
        await plain.construct(model, tools)(signal);
        order.push('ran');
      },
      drain: async () => {
        order.push('drained');
      },
    };
    const counted: Parameters<typeof runCore227Trial>[1]['record'] = async (work) => {
      const recorded = await record(work);
      order.push('recorded');
      return recorded;
    };
    await runCore227Trial(subject, { evidenceLevel: 'scripted_model', record: counted });
    expect(order).toEqual(['ran', 'drained', 'recorded']);
  });

  test('R0-25, R0-37: at its timeout a trial is left behind, and marked unclean', async () => {
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      construct: () => (signal) =>
        agentRun({ name: 'native' }, () => new Promise((resolve) => signal.addEventListener('abort', resolve))),
    };
    const outcome = await runCore227Trial(subject, { evidenceLevel: 'live_n1', approvedBy, timeoutMs: 20, record });
    expect(outcome).toMatchObject({ status: 'judged', unclean: true, report: { passed: false } });
  });

  test('R0-01, R0-02, R0-03: fresh tools, model and ledger for each trial, each made once', async () => {
    const made: unknown[] = [];
    const plain = scripted(script);
    const subject: Core227Subject<RequestGuard> = {
      ...plain,
      construct(model, tools) {
        made.push(model, tools);
        return plain.construct(model, tools);
      },
    };
    await runCore227Trial(subject, { evidenceLevel: 'instrumentation', record });
    await runCore227Trial(subject, { evidenceLevel: 'instrumentation', record });
    expect([made.length, new Set(made).size]).toEqual([4, 4]);
  });

  test('R0-32: a model that sends something while it is made is refused, and fetch is put back', async () => {
    const send = globalThis.fetch;
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      createModel: (guard) => {
        fetch('http://model.test');
        return guard;
      },
    };
    await expect(runCore227Trial(subject, { evidenceLevel: 'live_n1', approvedBy, record })).rejects.toThrow(
      'the model made a request while it was constructed',
    );
    expect(globalThis.fetch).toBe(send);
  });

  test('R0-36: a route that is not in the trace was not observed, which proves no more', async () => {
    const outcome = await runCore227Trial(
      { ...scripted(script), route: 'other' },
      { evidenceLevel: 'live_n1', approvedBy, record },
    );
    expect(outcome).toMatchObject({
      report: { routeEntries: 0, failures: ['the route was not observed in this trace'] },
    });
  });

  test('R0-08: read_value fails once and then gives 42', () => {
    const tools = valueTools();
    expect(() => tools.read_value()).toThrow('synthetic failure of read_value');
    expect([tools.read_value(), tools.read_value(), tools.counts.reads]).toEqual([42, 42, 3]);
  });

  test('R0-34, R0-38: what a pair of routes may be said to show', () => {
    expect(pairClaim({ samePrompts: true, trialsPerRoute: 1 }).claim).toBe('exploratory');
    expect(pairClaim({ samePrompts: false, trialsPerRoute: 20 }).claim).toBe('route_comparison');
    expect(pairClaim({ samePrompts: true, trialsPerRoute: 20 }).claim).toBe('causal');
  });
});
