import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli, scratchFolder } from '../run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

interface Plan {
  readonly rows?: readonly object[];
  readonly recovery?: object;
}

const task = 'refunds an order';
const recovery = {
  budget: { max: 12, source: 'three times the base' },
  effects: { lookup_order: 'read', refund_status: 'read' },
  verify: ['refund_status'],
  control: [
    { tool: 'lookup_order', arguments: { order_id: 'ORD-1001' } },
    { tool: 'issue_refund', arguments: { order_id: 'ORD-1001', amount: 40 } },
  ],
};
const row = (name: string, tool: string, fault: unknown, more = {}) => ({ task, row: name, tool, fault, ...more });

function lint(plan: Plan, ...args: string[]) {
  return lintIn(200, plan, ...args);
}

function lintIn(columns: number, { rows = [], ...more }: Plan, ...args: string[]) {
  const faults = { recovery, ...more, rows };
  const scenarios = [
    { name: task, steps: ['Refund ORD-1001.'], assertions: [{ ToolCalled: { match: { tool: 'issue_refund' } } }] },
  ];
  const target = { command: ['node', 'no-such-agent.mjs'] };
  const suite = { schema: 'otel-eval/suite/v1', name: 'refunds', target, scenarios, faults };
  const { faults: _, ...unfaulted } = suite;
  writeFileSync(scratch.file('s.json'), JSON.stringify(rows.length === 0 ? unfaulted : suite));
  return runCli(['run', 's.json', '--plan', '--lint', ...args], { cwd: scratch.path, columns });
}

describe('otel-eval run --plan --lint', () => {
  test('R4-40: a fair plan, row by row and agent by agent; the agent of the suite is not run', async () => {
    const { code, stdout, stderr } = await lint({
      rows: [row('applied', 'issue_refund', 'timeout_but_applied'), row('busy', 'lookup_order', 'http_503')],
    });
    expect([code, stderr]).toEqual([0, '']);
    const [heading, applied, busy, blank, count] = stdout.split('\n');
    expect(heading?.split(/ {2,}/)).toEqual([
      'row',
      'verifier',
      'blind retrier',
      'ignorer',
      'specific aborter',
      'vague aborter',
      'looper',
    ]);
    expect(applied?.split(/ {2,}/)).toEqual([
      'refunds an order#applied',
      'recovered',
      'failed: duplicate_effect',
      'unnoticed_success',
      'failed: false_report',
      'failed: false_report',
      'failed: duplicate_effect',
    ]);
    expect(busy?.split(/ {2,}/).slice(1)).toEqual([
      'recovered',
      'recovered',
      'unnoticed_success',
      'clean_abort',
      'failed: vague_message',
      'recovered',
    ]);
    expect([blank, count]).toEqual(['', expect.stringMatching(/^2 rows, 0 to mend; fault plan sha256:[0-9a-f]{8}…$/)]);
  });

  test('R4-40: rows that nobody can answer, or that tell nothing, are named with the reason', async () => {
    const rows = [
      row('applied', 'issue_refund', 'timeout_but_applied'),
      row('late', 'lookup_order', 'latency'),
      row('misnamed', 'isue_refund', 'http_503'),
      row('never', 'issue_refund', 'http_503', { occurrence: 9 }),
      row('below', 'issue_refund', 'http_503', { point: 'below_client' }),
    ];
    const { code, stdout } = await lint({ rows, recovery: { ...recovery, verify: [] } });
    expect(code).toBe(1);
    expect(stdout.split('\n').filter((line) => /^[✗?]/.test(line))).toEqual([
      '✗ refunds an order#applied: unanswerable: an agent that looks before it writes again comes out failed: duplicate_effect',
      '✗ refunds an order#late: unanswerable: an agent that looks before it writes again comes out unnoticed_success',
      '✗ refunds an order#misnamed: not discriminating: all six agents come out not_exercised (no call matched the row: tool, arguments or occurrence)',
      '✗ refunds an order#never: not discriminating: all six agents come out not_exercised (no call matched the row: tool, arguments or occurrence)',
      '? refunds an order#below: not discriminating: the client takes the fault away, so the row measures the client and no agent',
    ]);
    expect(stdout).toContain('5 rows, 4 to mend;');
  });

  test('where the table does not fit, each row has its outcomes and who came out so', async () => {
    const given = { rows: [row('busy', 'lookup_order', 'http_503')] };
    const { stdout } = await lint(given, '--no-color');
    expect(stdout.split('\n')[0]).toMatch(/^row {2,}verifier/);
    const narrow = await lintIn(80, given);
    expect(narrow.stdout.split('\n').slice(0, 5)).toEqual([
      'refunds an order#busy',
      '  recovered              verifier, blind retrier, looper',
      '  unnoticed_success      ignorer',
      '  clean_abort            specific aborter',
      '  failed: vague_message  vague aborter',
    ]);
  });

  test('as JSON; only the rows that were chosen', async () => {
    const rows = [row('late', 'lookup_order', 'latency'), row('busy', 'lookup_order', 'http_503')];
    const { code, stdout } = await lint({ rows }, '--json', '--scenario', `${task}#busy`);
    const document = JSON.parse(stdout);
    expect([code, document]).toMatchObject([
      0,
      {
        schema: 'otel-eval/plan-lint/v1',
        exitCode: 0,
        rows: [{ scenario: `${task}#busy`, problems: [], remark: null, isWrong: false }],
      },
    ]);
    expect(document.rows[0].outcomes.looper).toBe('recovered');
    expect(document.plan).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test.each([
    ['no plan', {}, 'expected a fault plan to check, got none'],
    [
      'no control run',
      { rows: [row('busy', 'lookup_order', 'http_503')], recovery: { budget: 'unlimited' } },
      'expected the tool calls of an unfaulted run, got none',
    ],
  ])('%s: one sentence, and what to write', async (_, plan, message) => {
    const { code, stdout, stderr } = await lint(plan);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('--lint alone would run nothing and check nothing: it is refused', async () => {
    const { code, stderr } = await runCli(['run', 's.json', '--lint'], { cwd: scratch.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected --plan with --lint')]);
  });
});
