import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TrialPolicy } from '../../../src/suite/policy/trial-policy.ts';
import { type PlannedTrial, planTrials, trialKey, trialSeed } from '../../../src/suite/trial/planned-trial.ts';
import { type RunTrialsOptions, runTrials } from '../../../src/suite/trial/run-trials.ts';
import { parseShard, shardOf } from '../../../src/suite/trial/shard.ts';
import type { TrialStatus } from '../../../src/suite/trial/trial-status.ts';

const plan = planTrials(
  [
    { name: 'a', trials: 3 },
    { name: 'b', trials: 2 },
  ],
  41,
);
type Result = { readonly status: TrialStatus };

async function run(statusOf: (trial: PlannedTrial) => TrialStatus, options: Partial<RunTrialsOptions<Result>> = {}) {
  const started: string[] = [];
  const results = await runTrials<Result>(plan, {
    concurrency: 1,
    bail: false,
    signal: new AbortController().signal,
    scenarios: new Map(),
    run: async (trial) => {
      started.push(trialKey(trial));
      return { status: statusOf(trial) };
    },
    ...options,
  });
  return { started, keys: [...results.keys()].map(trialKey) };
}

describe('the plan', () => {
  test('scenario by scenario; each trial has a seed of its own that does not depend on the others', () => {
    expect(plan.map(trialKey)).toEqual(['a#1', 'a#2', 'a#3', 'b#1', 'b#2']);
    expect(new Set(plan.map(({ seed }) => seed)).size).toBe(5);
    expect(plan[1]?.seed).toBe(trialSeed(41, 'a', 2));
    expect(trialSeed(42, 'a', 2)).not.toBe(trialSeed(41, 'a', 2));
  });

  test('shards are the whole, each trial once', () => {
    const parts = [1, 2, 3, 4].map((index) => shardOf(plan, { index, count: 4 }));
    expect(parts.map((part) => part.length)).toEqual([2, 1, 1, 1]);
    expect(parts.flat().map(trialKey).sort()).toEqual(plan.map(trialKey).sort());
    expect(parseShard('2/4')).toEqual({ index: 2, count: 4 });
    for (const text of ['0/4', '5/4', '1', 'a/b', '-1/3']) {
      expect(() => parseShard(text)).toThrow(`expected --shard i/n with 1 ≤ i ≤ n, got ${text}`);
    }
  });
});

describe('running them', () => {
  test('answers in the order planned, whatever finishes first', async () => {
    let running = 0;
    let most = 0;
    const { keys } = await run(() => 'passed', {
      concurrency: 3,
      run: async ({ index }) => {
        running += 1;
        most = Math.max(most, running);
        await sleep(index === 1 ? 30 : 5);
        running -= 1;
        return { status: 'passed' };
      },
    });
    expect([keys, most]).toEqual([['a#1', 'a#2', 'a#3', 'b#1', 'b#2'], 3]);
  });

  test('bail: nothing starts once a scenario has failed; an error, or a failure that the policy allows, does not bail', async () => {
    const bailing = (policy: TrialPolicy) => ({
      bail: true,
      scenarios: new Map([['a', { policy, planned: 3, stopEarly: false }]]),
    });
    const second = ({ index }: PlannedTrial): TrialStatus => (index === 2 ? 'failed' : 'passed');
    expect((await run(second, bailing({ kind: 'all' }))).started).toEqual(['a#1', 'a#2']);
    expect((await run(second, bailing({ kind: 'passes', passes: 2 }))).started).toHaveLength(5);
    expect((await run(() => 'error', bailing({ kind: 'all' }))).started).toHaveLength(5);
  });

  test('a decided scenario stops early where it may, others go on', async () => {
    const all: TrialPolicy = { kind: 'all' };
    const scenarios = (stopEarly: boolean) =>
      new Map([
        ['a', { policy: all, planned: 3, stopEarly }],
        ['b', { policy: all, planned: 2, stopEarly }],
      ]);
    const fails = ({ scenario }: PlannedTrial): TrialStatus => (scenario === 'a' ? 'failed' : 'passed');
    expect((await run(fails, { scenarios: scenarios(true) })).started).toEqual(['a#1', 'b#1', 'b#2']);
    expect((await run(fails, { scenarios: scenarios(false) })).started).toHaveLength(5);
  });

  test('what was finished before counts and is not repeated', async () => {
    const [first, second] = plan as [PlannedTrial, PlannedTrial];
    const finished = new Map([
      [first, { status: 'passed' as const }],
      [second, { status: 'failed' as const }],
    ]);
    const { started, keys } = await run(() => 'passed', { finished });
    expect(started).toEqual(['a#3', 'b#1', 'b#2']);
    expect(keys).toHaveLength(5);
    const scenarios = new Map([['a', { policy: { kind: 'all' } as const, planned: 3, stopEarly: false }]]);
    expect((await run(() => 'passed', { finished, bail: true, scenarios })).started).toEqual([]);
  });

  test('stopped from outside: what was in the middle is not counted', async () => {
    const stop = new AbortController();
    const { keys } = await run(() => 'passed', {
      signal: stop.signal,
      run: async ({ scenario, index }) => {
        if (scenario === 'a' && index === 2) stop.abort();
        return { status: 'passed' };
      },
    });
    expect(keys).toEqual(['a#1']);
  });
});
