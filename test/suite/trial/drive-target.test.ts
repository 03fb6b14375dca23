import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { functionTarget } from '../../../src/suite/target/function-target.ts';
import type { StepCall, TargetSession } from '../../../src/suite/target/target.ts';
import { type DriveOptions, driveTarget } from '../../../src/suite/trial/drive-target.ts';
import { OtelEvalError } from '../../../src/trace/otel-eval-error.ts';
import { ticket, traceId } from '../target/ticket.ts';

const steps = [
  { name: 'first', input: 'a', conversation: 'main' },
  { name: 'second', input: 'b', conversation: 'other' },
];

async function drive(session: Partial<TargetSession> | (() => never), options: Partial<DriveOptions> = {}) {
  const log: string[] = [];
  const whole: TargetSession = {
    step: async ({ input, conversation }) => {
      log.push(`step ${conversation}`);
      return `${String(input)}!`;
    },
    drain: async () => void log.push('drain'),
    close: async () => void log.push('close'),
    ...(typeof session === 'function' ? {} : session),
  };
  let ids = 0;
  const driven = await driveTarget({
    target: functionTarget(typeof session === 'function' ? session : () => whole),
    ticket: ticket(),
    steps,
    timeouts: { trialMs: 60_000, harnessMs: 60_000 },
    newId: (bytes) => {
      ids += 1;
      return ids.toString(16).padStart(bytes * 2, '0');
    },
    now: () => 1_000,
    beforeClose: async () => void log.push('fetch'),
    ...options,
  });
  return { driven, log, states: driven.steps.map(({ state }) => state) };
}

describe('one trial', () => {
  test('steps in order, then drain, fetch, close', async () => {
    const seen: StepCall[] = [];
    const { driven, log, states } = await drive({});
    expect(log).toEqual(['step main', 'step other', 'drain', 'fetch', 'close']);
    expect([states, driven.problem, driven.timedOut]).toEqual([['answered', 'answered'], null, false]);
    expect(driven.steps.map(({ reply }) => reply)).toEqual(['a!', 'b!']);
    await drive({ step: async (call) => void seen.push(call) });
    expect(seen.map(({ index, traceparent }) => [index, traceparent])).toEqual([
      [0, `00-${traceId}-0000000000000001-01`],
      [1, `00-${traceId}-0000000000000002-01`],
    ]);
  });

  test('the agent that does not come to an end has timed out; it is told, and closed', async () => {
    let told = false;
    const { driven, log, states } = await drive(
      {
        step: ({ index, signal }) =>
          index === 0
            ? Promise.resolve('ok')
            : new Promise((_, reject) => {
                signal.addEventListener('abort', () => {
                  told = true;
                  reject(new Error('aborted'));
                });
              }),
      },
      { timeouts: { trialMs: 300, harnessMs: 60_000 } },
    );
    expect([states, driven.timedOut, driven.problem, told]).toEqual([['answered', 'timedOut'], true, null, true]);
    expect(log).toEqual(['fetch', 'close']);
  });

  test('an agent that ignores the signal is left behind, and what it says later is not heard', async () => {
    const { driven, states } = await drive(
      { step: () => sleep(400).then(() => 'too late') },
      { timeouts: { trialMs: 100, harnessMs: 60_000 } },
    );
    await sleep(500);
    expect([states, driven.steps[0]?.reply]).toEqual([['timedOut', 'notRun'], undefined]);
  });

  test('a step that breaks is an error, and later steps are not run', async () => {
    const { driven, log, states } = await drive({
      step: async () => {
        throw new RangeError('the words of the customer');
      },
    });
    expect(driven.problem).toEqual({
      status: 'error',
      code: 'OTEL_EVAL_TARGET',
      message: 'the target threw RangeError',
    });
    expect([states, log]).toEqual([
      ['broken', 'notRun'],
      ['fetch', 'close'],
    ]);
  });

  test('a server that is down is unavailable', async () => {
    const { driven } = await drive({
      step: async () => {
        throw new OtelEvalError('OTEL_EVAL_UNAVAILABLE', 'no answer from http://db: ECONNREFUSED');
      },
    });
    expect(driven.problem).toEqual({
      status: 'unavailable',
      code: 'OTEL_EVAL_UNAVAILABLE',
      message: 'no answer from http://db: ECONNREFUSED',
    });
  });

  test.each([
    ['drain', 'the drain of the target did not end within 30 ms'],
    ['close', 'the close of the target did not end within 30 ms'],
  ])('a hanging %s is an error of the harness, not of the agent', async (hook, message) => {
    const { driven, states } = await drive(
      { [hook]: () => new Promise(() => {}) },
      { timeouts: { trialMs: 60_000, harnessMs: 30 } },
    );
    expect([driven.problem?.status, driven.problem?.message, states]).toEqual([
      'error',
      message,
      ['answered', 'answered'],
    ]);
  });

  test('a factory that throws or hangs is an error, and nothing is asked', async () => {
    const thrown = await drive(() => {
      throw new Error('secret');
    });
    expect([thrown.driven.problem?.message, thrown.states]).toEqual([
      'the factory of the target threw Error',
      ['notRun', 'notRun'],
    ]);
    const hanging = await drive((() => new Promise(() => {})) as () => never, {
      timeouts: { trialMs: 60_000, harnessMs: 30 },
    });
    expect(hanging.driven.problem?.message).toBe('the opening of the target did not end within 30 ms');
  });
});
