import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketStory } from '../assertions/mutations/recovered-unattended.ts';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (...args: string[]) => runCli(args, { cwd: scratch.path, columns: 140 });

const wrong = {
  arguments: { id: 'T-8841', status: 'Closed' },
  result: { error: { code: 'invalid_status', message: 'Closed?' } },
};
const right = { arguments: { id: 'T-8841', status: 'closed' }, result: { ok: true } };
beforeAll(() => {
  writeFileSync(scratch.file('t.json'), otlpOf(ticketStory({ tries: [wrong, { ...wrong, arguments: {} }, right] })));
  writeFileSync(scratch.file('no-tools.json'), otlpOf([{ id: '1', name: 'GET /' }]));
});

describe('corpus', () => {
  test('R3-15: rejected calls by tool and error code, with age, examples and pathologies, and no content', async () => {
    const { code, stdout } = await run('corpus', '--input', 't.json', '--json');
    const { groups, ...rest } = JSON.parse(stdout);
    expect([code, rest]).toEqual([0, { schema: 'otel-eval/corpus/v1', calls: 3, caveats: expect.any(Array) }]);
    expect(groups).toMatchObject([
      {
        tool: 'update_ticket',
        code: 'invalid_status',
        calls: 2,
        firstSeen: '2025-10-09',
        lastSeen: '2025-10-09',
        ageDays: 417,
        pathological: { no_arguments: 1 },
        sources: { ui_vs_enum: 1 },
      },
    ]);
    expect(groups[0].examples.length).toBe(2);
    expect(stdout).not.toContain('Closed');
  });

  test('R3-15: one group for each tool and code, the most frequent first, twenty of them', async () => {
    const rejected = (code: string) => ({ ...wrong, result: { error: { code, message: 'no' } } });
    const codes = Array.from({ length: 21 }, (_, at) => `code_${String(at).padStart(2, '0')}`);
    const tries = [...codes, 'code_20', 'code_20', 'code_07'].map(rejected);
    writeFileSync(scratch.file('many.json'), otlpOf(ticketStory({ tries: [...tries, right] })));
    const groupsOf = async (...more: string[]): Promise<[string, number][]> => {
      const { stdout } = await run('corpus', '--input', 'many.json', '--json', ...more);
      return JSON.parse(stdout).groups.map((group: { code: string; calls: number }) => [group.code, group.calls]);
    };
    const all = await groupsOf('--top', '99');
    expect(all).toEqual([
      ['code_20', 3],
      ['code_07', 2],
      ...codes.filter((code) => code !== 'code_20' && code !== 'code_07').map((code) => [code, 1]),
    ]);
    expect(await groupsOf()).toEqual(all.slice(0, 20));
  });

  test('as a table', async () => {
    const { stdout } = await run('corpus', '--input', 't.json');
    expect(stdout).toMatch(
      /update_ticket {2}invalid_status {2}2 .*417 days old.*1 ui_vs_enum, 1 no_arguments: tests the validator, not recovery/,
    );
  });

  test('R3-30: how far a corpus goes stands in its help, its text and its JSON', async () => {
    const caveats = [
      'A corpus belongs to one model version and one population of users: renew it when either changes.',
      'It holds single bad calls: what it takes to undo several steps is not in it.',
    ];
    expect(JSON.parse((await run('corpus', '--input', 't.json', '--json')).stdout).caveats).toEqual(caveats);
    expect((await run('corpus', '--input', 't.json')).stdout.trimEnd().split('\n').slice(-3)).toEqual(['', ...caveats]);
    expect((await run('corpus', '--help')).stdout).toContain(caveats.join('\n'));
  });

  test('no tool call at all is nothing to build on', async () => {
    expect((await run('corpus', '--input', 'no-tools.json')).code).toBe(4);
  });
});

describe('rank', () => {
  test('R3-31: tools by what their failures cost', async () => {
    const { code, stdout } = await run('rank', '--input', 't.json', '--json', '--effect', 'update_ticket=write');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'otel-eval/rank/v1',
      tools: [
        { tool: 'update_ticket', effect: 'write', runs: 1, failingRuns: 1, failureRate: 1, tokensPerFailingRun: null },
      ],
    });
    expect((await run('rank', '--input', 'no-tools.json')).code).toBe(4);
  });
});

describe('budget', () => {
  const latency = ['budget', '--limit', '20', '--happy-path', '7', '--elapsed', '2.45,4.9,7.25,9.6,12.1,14.6'];

  test('R3-22: a bound from a latency, with where it comes from', async () => {
    const { code, stdout } = await run(...latency, '--source', 'SLO of 2026-11');
    expect([code, stdout]).toEqual([0, '5 attempts (SLO of 2026-11): elapsed(k) ≤ 20 s − 7 s = 13 s\n']);
  });

  test('R3-23: without a source, or with "observed", it is refused', async () => {
    for (const source of [[], ['--source', 'observed']]) {
      const { code, stderr } = await run(...latency, ...source);
      expect(code).toBe(2);
      expect(stderr).toContain('expected where the bound comes from, got nothing or "observed"');
    }
  });

  test('R3-28: a bound from a cost, and the record of a change', async () => {
    const cost = [
      '--first-input',
      '1850',
      '--error-tokens',
      '490',
      '--outputs',
      '90,90,90,90,157',
      '--input-price',
      '3',
      '--output-price',
      '15',
    ];
    const { stdout } = await run('budget', '--max-cost', '0.05', ...cost, '--source', 'R-12', '--was', '3', '--json');
    const { budget, change, table } = JSON.parse(stdout);
    expect(budget).toMatchObject({ max: 4, source: 'R-12', formula: 'cost(k) ≤ $0.05' });
    expect(change).toMatchObject({ from: 3, to: 4, seconds: null });
    expect(change.cost.toFixed(4)).toBe('0.0380');
    expect(table.length).toBe(5);
  });
});
