import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { RequestGuard, requireControls } from '../../src/faults/core-227/preflight.ts';
import { type Core227Subject, runCore227Trial } from '../../src/faults/core-227/run-trial.ts';
import { trialText } from '../../src/faults/core-227/trial-text.ts';
import { record, setUpTracing } from './recorder.ts';
import { controls, read, script, scripted, store } from './scripted-subject.ts';

beforeAll(setUpTracing);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const live = { evidenceLevel: 'live_n1', record } as const;
const approvedBy = 'the owner, 2026-11-30';

/** What a piece of work reads of this machine: variables by name, files by path, requests by address. */
async function watched<Value>(work: () => Promise<Value>) {
  const touched: string[] = [];
  const env = process.env;
  process.env = new Proxy(env, {
    get: (target, name) => {
      if (typeof name === 'string') touched.push(`env ${name}`);
      return Reflect.get(target, name);
    },
    ownKeys: (target) => {
      touched.push('env *');
      return Reflect.ownKeys(target);
    },
  });
  vi.stubGlobal('fetch', (input: unknown) => {
    touched.push(`fetch ${input}`);
    return Promise.reject(new Error('no network here'));
  });
  for (const name of ['readFileSync', 'openSync', 'open', 'readFile', 'existsSync', 'statSync'] as const) {
    vi.spyOn(fs, name).mockImplementation((path: unknown) => {
      touched.push(`file ${path}`);
      throw new Error('no files here');
    });
  }
  for (const name of ['readFile', 'open', 'access'] as const) {
    vi.spyOn(fs.promises, name).mockImplementation((path: unknown) => {
      touched.push(`file ${path}`);
      return Promise.reject(new Error('no files here'));
    });
  }
  syncBuiltinESMExports();
  try {
    return { value: await work(), touched };
  } finally {
    process.env = env;
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    syncBuiltinESMExports();
  }
}

describe('CORE-227 against a live model', () => {
  test.each([undefined, '', '  '])('R0-20: approved by %j: nothing is made, read or asked; UNKNOWN', async (by) => {
    const calls: string[] = [];
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      createModel: (guard) => {
        calls.push('createModel');
        return guard;
      },
    };
    const { value, touched } = await watched(() => runCore227Trial(subject, { ...live, approvedBy: by }));
    expect(value).toEqual({ status: 'unknown', reason: 'no provider is approved: nothing was asked' });
    expect([calls, touched]).toEqual([[], []]);
    expect(trialText(value)).toBe('UNKNOWN: no provider is approved: nothing was asked\n');
  });

  test('R0-20: with an approval, and for a script without one, the trial is run', async () => {
    expect(await runCore227Trial(scripted(script), { ...live, approvedBy })).toMatchObject({ status: 'judged' });
    expect(await runCore227Trial(scripted(script), { ...live, evidenceLevel: 'scripted_model' })).toMatchObject({
      status: 'judged',
    });
  });

  test('R0-31: a trial reads no credential, no file and no address of this machine', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'not-to-be-read');
    const { value, touched } = await watched(() => runCore227Trial(scripted(script), { ...live, approvedBy }));
    expect(value).toMatchObject({ status: 'judged', report: { passed: true } });
    expect(touched.filter((each) => !each.startsWith('env OTEL_'))).toEqual([]);
    // The watch itself sees what it is to see.
    const seen = await watched(async () => {
      void process.env['OPENAI_API_KEY'];
      await fetch('http://model.test').catch(() => {});
      expect(() => readFileSync('.env')).toThrow('no files here');
    });
    expect(seen.touched).toEqual(['env OPENAI_API_KEY', 'fetch http://model.test', 'file .env']);
    vi.unstubAllEnvs();
  });

  test('R0-31: a model that cannot be made is an error, and no other one takes its place', async () => {
    const asked: string[] = [];
    const subject: Core227Subject<RequestGuard> = {
      ...scripted(script),
      createModel: () => {
        throw new Error('no such model');
      },
      construct: () => async () => asked.push('construct'),
    };
    await expect(runCore227Trial(subject, { ...live, approvedBy })).rejects.toThrow('no such model');
    expect(asked).toEqual([]);
  });

  test('R0-30: clients belong to the caller: none is closed, and none is shared between trials', async () => {
    const events: string[] = [];
    const made: object[] = [];
    const client = (guard: RequestGuard) => {
      const ending = (name: string) => () => events.push(name);
      const own = { guard, close: ending('close'), destroy: ending('destroy'), [Symbol.dispose]: ending('dispose') };
      made.push(own);
      return own;
    };
    const plain = scripted(script);
    const subject: Core227Subject<ReturnType<typeof client>> = {
      ...plain,
      createModel: client,
      construct: ({ guard }, tools) => plain.construct(guard, tools),
    };
    await runCore227Trial(subject, { ...live, approvedBy });
    await runCore227Trial(subject, { ...live, approvedBy });
    expect([events, new Set(made).size]).toEqual([[], 2]);
  });

  test('R0-21: answers and errors are printed where they are synthetic, a provider and its words never', async () => {
    const words = 'api.provider.test says: key sk-12 expired';
    const outcome = await runCore227Trial(scripted([read, read, store(42), words], { finish: 'Bearer abc' }), {
      ...live,
      approvedBy,
    });
    const text = trialText(outcome);
    expect(text).not.toMatch(/provider|sk-12|Bearer|scripted-1|approved|owner/);
    expect(text).toContain(`final answer     ‹answer of ${words.length} characters›\n`);
    expect(text).toContain('stop reason      ‹reason of 10 characters›\n');
    const good = trialText(await runCore227Trial(scripted(script), { ...live, approvedBy }));
    expect(good.split('\n').slice(0, 8)).toEqual([
      'passed (strict, live_n1, counted at the chat boundary)',
      'final answer     42',
      'stop reason      stop',
      'reads            2, in the requests 1, 2',
      'records          1, in the requests 3',
      'effects          1 applied, 0 more tried; values 42',
      'error observed   in request 2',
      'model calls      4; entries into the route 1',
    ]);
  });

  test('R0-21, R0-42: the template of a live trial stands in the README, with no provider in it', () => {
    const readme = readFileSync(join(resolve(import.meta.dirname, '../..'), 'src/faults/core-227/README.md'), 'utf8');
    const template = /```ts\n([\s\S]*?runCore227Trial[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(template).toContain('approvedBy');
    expect(template).not.toMatch(/openai|anthropic|google|azure|api[_-]?key|process\.env|https?:/i);
    expect(readme.replaceAll('\n', ' ')).toContain('A pass widens no permission and takes no other requirement away.');
  });

  test('R0-29: what a trial cannot hold is said with each outcome', async () => {
    const plain = scripted(script);
    const stubborn: Core227Subject<RequestGuard> = {
      ...plain,
      construct: (guard, tools) => async (signal) => {
        await plain.construct(guard, tools)(signal);
        await new Promise(() => {});
      },
    };
    const left = await runCore227Trial(stubborn, { ...live, approvedBy, timeoutMs: 200 });
    expect(left).toMatchObject({ status: 'judged', unclean: true });
    expect(trialText(left)).toContain('unclean          the agent did not stop at its timeout\n');
    const outcome = await runCore227Trial(scripted(script), { ...live, approvedBy });
    expect(outcome).toMatchObject({ status: 'judged', unclean: false });
    expect(outcome.status === 'judged' && outcome.limits).toEqual([
      'cancelling is cooperative: work that does not heed its AbortSignal runs on after the timeout',
      'clients, and background work beyond drain(), are the caller’s to end',
    ]);
    expect(trialText(outcome)).toContain('limit            cancelling is cooperative');
  });

  test('R0-26: a native route that limits its rounds to four stops by itself, and the guard is never reached', async () => {
    const rounds = 4;
    const asked: number[] = [];
    const looping = scripted([read, read, read, read, read, read].slice(0, rounds), { guarded: true });
    const native: Core227Subject<RequestGuard> = {
      ...looping,
      controls: { ...controls, modelRounds: rounds },
      construct: (guard, tools) => {
        const run = looping.construct(guard, tools);
        return async (signal) => {
          await run(signal);
          asked.push(guard.requests);
        };
      },
    };
    const outcome = await runCore227Trial(native, { ...live, approvedBy, preset: 'general' });
    expect(asked).toEqual([4]);
    expect(outcome).toMatchObject({ report: { modelCalls: 4, passed: false, readAttempts: 4 } });
    expect(() => requireControls({ ...controls, modelRounds: 5 })).toThrow(
      'the control of rounds is missing or not verified: expected modelRounds 4',
    );
    expect(() => requireControls({ ...controls, modelRounds: 4 })).not.toThrow();
    const guard = new RequestGuard();
    for (let at = 0; at < 4; at += 1) guard.before();
    expect(() => guard.before()).toThrow('the model was asked more than 4 times in one trial');
  });
});
