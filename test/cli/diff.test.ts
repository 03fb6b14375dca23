import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { type TicketStory, ticketStory } from '../assertions/mutations/recovered-unattended.ts';
import { faultedReport, faultedScenario, faultedTrial } from '../report/faulted-report.ts';
import { sampleReport } from '../report/sample-report.ts';
import { otlpOf, type SpanSketch } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const run = (...args: string[]) => runCli(['diff', ...args], { cwd: scratch.path, columns: 140 });

const labelled = (label: string) => faultedTrial(1, { label });

function write(name: string, report: Report): void {
  writeFileSync(scratch.file(name), JSON.stringify(report));
}

/** So many rows with one trial each: the labels, or the state of a trial without one. */
function rows(words: readonly string[]): Report {
  return faultedReport(
    words.map((word, at) =>
      faultedScenario(`task#${at + 1}`, {}, [
        word === 'absorbed' ? faultedTrial(1, { status: 'absorbed' }) : labelled(word),
      ]),
    ),
  );
}

const times = (count: number, word: string): string[] => Array.from({ length: count }, () => word);

describe('diff of two reports', () => {
  beforeAll(() => {
    write('before.json', rows(['recovered', 'clean_abort', 'recovered', 'failed']));
    write('after.json', rows(['recovered', 'failed', 'absorbed', 'failed']));
    write('unfaulted.json', sampleReport);
    const [first, ...others] = sampleReport.scenarios;
    write('worse.json', { ...sampleReport, scenarios: [...others, { ...first!, status: 'passed' }] });
    write('many-before.json', rows([...times(24, 'recovered'), ...times(6, 'failed')]));
    write('many-after.json', rows([...times(12, 'recovered'), ...times(18, 'failed')]));
  });

  test('R4-37: labels before and after, each row that moved, validity beside', async () => {
    const { code, stdout } = await run('before.json', 'after.json');
    expect(code).toBe(0);
    expect(stdout).toBe(`no scenario changed

faulted trials, fault plan sha256:0a1b2c3d…
label              before  after      share, mean of rows (95 %)
recovered          2       1      −1  ±0 % (too few rows)
unnoticed_success  0       0      ±0  ±0 % (too few rows)
clean_abort        1       0      −1  −33 % (too few rows)
failed             1       2      +1  +33 % (too few rows)
absorbed           0       1      +1

task#2   1 clean_abort → failed
task#3   1 recovered → absorbed

trials outside of the labels: 0 before, 1 after: compare labels with care
`);
  });

  test('R4-37: as JSON, moves between labels apart from moves of validity', async () => {
    const { code, stdout } = await run('before.json', 'after.json', '--json');
    const { recovery, ...rest } = JSON.parse(stdout);
    expect([code, rest]).toEqual([
      0,
      {
        schema: 'otel-eval/diff/v1',
        kind: 'reports',
        before: 'before.json',
        after: 'after.json',
        scenarios: [],
        remarks: [],
      },
    ]);
    expect(recovery.moves).toEqual([{ from: 'clean_abort', to: 'failed', trials: 1 }]);
    expect(recovery.validityMoves).toEqual([{ from: 'recovered', to: 'absorbed', trials: 1 }]);
    expect(recovery.evidence).toMatchObject({ rows: 3, pairs: 3, p: null });
  });

  test('another control, model or version of otel-eval is told: the agent may not be the cause', async () => {
    const base = rows(['recovered', 'failed']);
    const controls = [{ task: 'books a slot', status: 'failed', runs: 1, agreement: 1 }];
    write('same.json', base);
    write('other.json', { ...base, version: '9.9.9', resilience: { ...base.resilience!, controls } });
    expect((await run('same.json', 'other.json')).stdout).toContain(`
also different: version of otel-eval: 0.1.0 before, 9.9.9 after
also different: controls: none before, control of books a slot: failed in 1 run without a fault after
`);
    expect((await run('same.json', 'same.json')).stdout).not.toContain('also different');
  });

  test('with enough rows the change has an interval and a p', async () => {
    const { stdout } = await run('many-before.json', 'many-after.json', '--json');
    const { evidence } = JSON.parse(stdout).recovery;
    expect(evidence.p).toBe(0.0005);
    expect(evidence.changes[0]).toMatchObject({ label: 'recovered', change: -0.4 });
    expect(evidence.changes[0].upper).toBeLessThan(-0.1);
    expect(evidence.changes[0].lower).toBeGreaterThan(-0.8);
    expect((await run('many-before.json', 'many-after.json')).stdout).toContain(
      'labels before and after, Stuart–Maxwell: p = 0.0005',
    );
  });

  test('scenarios without faults: what changed, and nothing about recovery', async () => {
    const { code, stdout } = await run('unfaulted.json', 'worse.json');
    expect(code).toBe(0);
    expect(stdout).toBe(`scenario                before          after
refunds a paid invoice  failed, 1 of 2  passed, 1 of 2
`);
  });

  test.each([
    [['before.json'], 'expected two or more things to compare, got one'],
    [['before.json', 'after.json', 'before.json'], 'expected two reports, got 3'],
    [['before.json', 'unfaulted.json'], 'expected two reports of one fault plan, got different plans'],
    [['before.json', 'no-such.json'], 'cannot read no-such.json: no such file'],
    [['no-such.json', 'before.json'], 'no-such.json'],
    [['before.json', 'ticket.json'], 'expected a JSON report of otel-eval in ticket.json'],
  ])('%j is refused in a sentence', async (args, message) => {
    writeFileSync(scratch.file('ticket.json'), otlpOf(ticketStory()));
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('diff of traces', () => {
  const wrong = { arguments: { id: 'T-1', status: 'Closed' }, result: { error: 'secret-words of a tool' } };
  const right = { arguments: { id: 'T-1', status: 'closed' }, result: { ok: true } };
  const other = { ...wrong, arguments: { id: 'T-1', status: 'CLOSED' } };

  /** A folder of runs, one a trace. */
  function version(name: string, stories: readonly TicketStory[]): void {
    mkdirSync(scratch.file(name));
    for (const [at, story] of stories.entries()) {
      const trace = (at + 16).toString(16);
      const spans = ticketStory(story).map((span): SpanSketch => ({ ...span, trace, attributes: usage(span) }));
      writeFileSync(scratch.file(`${name}/${at}.json`), otlpOf(spans));
    }
  }

  const usage = ({ name, attributes = {} }: SpanSketch) =>
    name?.startsWith('chat') === true
      ? { ...attributes, 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 50 }
      : attributes;

  beforeAll(() => {
    version('traceback', [
      { tries: [wrong, wrong, wrong, right] },
      { tries: [wrong, wrong, right] },
      { tries: [wrong, wrong, wrong, wrong, wrong] },
      { tries: [right] },
    ]);
    version('mapped', [{ tries: [wrong, right] }, { tries: [wrong, right] }, { tries: [wrong, other, right] }]);
    version('clean', [{ tries: [right] }]);
  });

  test('R3-24, R3-25, R3-27: tokens, attempts, tail, who never recovered, and why', async () => {
    const { code, stdout } = await run('traceback', 'mapped', '--cap', '5');
    expect(code).toBe(0);
    expect(stdout).toBe(`update_ticket
  version    failing runs  never recovered        tokens, median  attempts, median  p95
  traceback  3 of 4        33.3 % (6.1 %–79.2 %)  5250            4                 ≥ 5
  mapped     3 of 3        0.0 % (0.0 %–56.1 %)   3150            2                 3
  traceback → mapped: tokens −40 %; never recovered p = 1.0000
`);
    expect(stdout).not.toContain('secret-words');
  });

  test('R3-27: the other way round the trace says why it got worse', async () => {
    const { stdout } = await run('mapped', 'traceback', '--json', '--tool', 'update_ticket');
    const { tools, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ schema: 'otel-eval/diff/v1', kind: 'traces', versions: ['mapped', 'traceback'] });
    expect(tools[0].steps).toMatchObject([
      { from: 'mapped', to: 'traceback', causes: [{ cause: 'terminal_failure_repeated', before: 0 }] },
    ]);
    expect(tools[0].steps[0].causes[0].after).toBeCloseTo(7 / 3, 10);
  });

  test('three versions make two steps; one without a failing run has no number', async () => {
    const { stdout } = await run('traceback', 'clean', 'mapped');
    expect(stdout).toContain('  clean      0 of 1        –  ');
    expect(stdout).toContain('  traceback → clean: tokens not comparable; never recovered p = 1.0000\n');
    expect(stdout).toContain('  clean → mapped: tokens not comparable; never recovered p = 1.0000\n');
  });

  test('without a failing run there is nothing to compare', async () => {
    mkdirSync(scratch.file('also-clean'));
    writeFileSync(scratch.file('also-clean/0.json'), otlpOf(ticketStory({ tries: [right] })));
    const { code, stdout } = await run('clean', 'also-clean');
    expect([code, stdout]).toEqual([4, 'no call of any tool failed in these traces\n']);
    expect((await run('traceback', 'mapped', '--tool', 'updat_ticket')).stdout).toBe(
      'no call of "updat_ticket" failed in these traces\n',
    );
  });

  test('one version twice is refused', async () => {
    const { code, stderr } = await run('mapped', 'mapped');
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining('got mapped twice')]);
  });
});
