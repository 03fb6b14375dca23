import { beforeAll, describe, expect, test } from 'vitest';
import type { RequestGuard } from '../../src/faults/core-227/preflight.ts';
import { type PairSubject, runCore227Pair } from '../../src/faults/core-227/run-pair.ts';
import { sweepWordings } from '../../src/faults/core-227/wording-sweep.ts';
import { viewOf } from '../view-builder.ts';
import { record, setUpTracing } from './recorder.ts';
import { type Asked, read, script, scripted, store } from './scripted-subject.ts';

beforeAll(setUpTracing);

const options = { evidenceLevel: 'scripted_model', record } as const;
const prompt = 'Read the value and record it.';

interface HostQuirks {
  readonly answer?: string;
  readonly events?: string[];
}

/** A host that exposes what a pair needs. */
function host(
  plain: ReturnType<typeof scripted>,
  { answer = '42', events = [] }: HostQuirks = {},
): PairSubject<RequestGuard> {
  return {
    route: plain.route,
    controls: plain.controls,
    createModel: plain.createModel,
    construct: (guard, tools) => {
      const run = plain.construct(guard, tools);
      return {
        run: async (signal) => {
          events.push(`run ${plain.route}`);
          await run(signal);
          return { finalAnswer: answer };
        },
        drain: async () => {
          events.push(`drain ${plain.route}`);
        },
      };
    },
  };
}

const native = () => scripted(script, { prompt });
const other = (more: Parameters<typeof scripted>[1] = {}) => scripted(script, { prompt, route: 'graph', ...more });

describe('a pair of routes, R0-04', () => {
  test('runs both in turns, each as often first, drained after each trial', async () => {
    const events: string[] = [];
    const pair = await runCore227Pair([host(native(), { events }), host(other(), { events })], {
      ...options,
      trials: 2,
    });
    expect(pair.order).toEqual(['native', 'graph', 'graph', 'native']);
    expect(events).toEqual(pair.order.flatMap((route) => [`run ${route}`, `drain ${route}`]));
    expect(
      pair.routes.map(({ route, passed, judged, entries, contradicted }) => [
        route,
        passed,
        judged,
        entries,
        contradicted,
      ]),
    ).toEqual([
      ['native', 2, 2, [1, 1], 0],
      ['graph', 2, 2, [1, 1], 0],
    ]);
    expect(pair.claim.claim).toBe('causal');
  });

  test('an entry into a body that left no span was not observed, and fails its route', async () => {
    const silent = { ...host(other()), route: 'elsewhere' };
    const pair = await runCore227Pair([host(native()), silent], { ...options, trials: 1 });
    expect(pair.routes.map(({ entries, passed }) => [entries, passed])).toEqual([
      [[1], 1],
      [[0], 0],
    ]);
  });

  test('a result with another answer than its trace is counted', async () => {
    const pair = await runCore227Pair([host(native(), { answer: '41' }), host(other())], { ...options, trials: 2 });
    expect(pair.routes.map(({ contradicted }) => contradicted)).toEqual([2, 0]);
  });

  test('R0-34: other prompts, as the traces tell them, are a comparison of routes and no cause', async () => {
    const changed = host(other({ prompt: `${prompt} Be careful.` }));
    const pair = await runCore227Pair([host(native()), changed], { ...options, trials: 2 });
    expect(pair.claim.claim).toBe('route_comparison');
  });

  test('prompts that are not in the traces are not the same', async () => {
    const blind: typeof record = async (work) => ({
      value: await work(),
      view: viewOf([{ id: '1', name: 'chat x', attributes: { 'gen_ai.operation.name': 'chat' } }]),
    });
    const pair = await runCore227Pair([host(native()), host(other())], { ...options, record: blind, trials: 2 });
    expect(pair.claim.claim).toBe('route_comparison');
  });

  test('R0-38: one trial each is exploratory; without an approval there is none', async () => {
    const once = await runCore227Pair([host(native()), host(other())], { ...options, trials: 1 });
    expect(once.claim.claim).toBe('exploratory');
    const live = { ...options, evidenceLevel: 'live_n', trials: 3 } as const;
    const none = await runCore227Pair([host(native()), host(other())], live);
    expect(none.routes.map(({ judged, outcomes }) => [judged, outcomes.map(({ status }) => status)])).toEqual([
      [0, ['unknown', 'unknown', 'unknown']],
      [0, ['unknown', 'unknown', 'unknown']],
    ]);
    expect(none.claim.claim).toBe('exploratory');
  });
});

describe('wordings of an error, R0-40', () => {
  const wordings = { traceback: 'Error: at read (tools.ts:12)', mapped: '{"code":"try_again"}' };

  /** Gives up where the error says nothing that it could use. */
  const reader = (helped: (text: string) => boolean, more: Parameters<typeof scripted>[1] = {}) =>
    scripted(
      (messages): Asked | string => {
        const results = messages.filter((message) => (message as { role: string }).role === 'tool');
        const text = JSON.stringify(results);
        if (results.length === 0) return read;
        if (results.length === 1) return helped(text) ? read : '0';
        return results.length === 2 ? store(42) : '42';
      },
      { prompt, ...more },
    );
  const sweep = (subject: ReturnType<typeof scripted>, trials = 8, given: Record<string, string> = wordings) =>
    sweepWordings(subject, { ...options, preset: 'general', wordings: given, trials });

  test('only the wording differs, and it makes the difference', async () => {
    const found = await sweep(reader((text) => text.includes('try_again')));
    expect(
      found.levels.map(({ wording, judged, passed, medianModelCalls }) => [wording, judged, passed, medianModelCalls]),
    ).toEqual([
      ['traceback', 8, 0, 2],
      ['mapped', 8, 8, 4],
    ]);
    expect(found.comparisons).toEqual([{ from: 'traceback', to: 'mapped', p: expect.closeTo(2 / 12_870, 8) }]);
    expect([found.claim, found.why]).toEqual([
      'causal',
      'the same first request, and only the wording of the error differs',
    ]);
  });

  test('no difference is no proof that there is none', async () => {
    const found = await sweep(reader(() => true));
    expect([found.claim, found.levels.map(({ passed }) => passed)]).toEqual(['no_difference_shown', [8, 8]]);
  });

  test('a prompt that changes with the trial is not controlled, whatever the difference', async () => {
    let trial = 0;
    const plain = reader((text) => text.includes('try_again'));
    const found = await sweep({
      ...plain,
      construct: (guard, tools) => {
        trial += 1;
        const now = reader((text) => text.includes('try_again'), { prompt: `${prompt} ${trial}` });
        return now.construct(guard, tools);
      },
    });
    expect([found.claim, found.why]).toEqual([
      'not_controlled',
      'the first requests differ: prompts, tools or settings are not the same',
    ]);
  });

  test('one trial of each, or one wording alone, is exploratory', async () => {
    expect(
      (
        await sweep(
          reader(() => true),
          1,
        )
      ).claim,
    ).toBe('exploratory');
    expect(
      (
        await sweep(
          reader(() => true),
          4,
          { mapped: wordings.mapped },
        )
      ).claim,
    ).toBe('exploratory');
  });

  test('three wordings are compared in pairs, by Holm', async () => {
    const three = { ...wordings, again: 'try_again' };
    const found = await sweep(
      reader((text) => text.includes('try_again')),
      8,
      three,
    );
    expect(found.comparisons.map(({ from, to, p }) => [from, to, p < 0.05])).toEqual([
      ['traceback', 'mapped', true],
      ['traceback', 'again', true],
      ['mapped', 'again', false],
    ]);
    expect(found.comparisons[0]?.p).toBeCloseTo(6 / 12_870, 8);
  });
});
