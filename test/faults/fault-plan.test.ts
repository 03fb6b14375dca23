import { describe, expect, test } from 'vitest';
import { parseFaultPlan, requireRepeatable, scenarioOfRow } from '../../src/faults/plan/fault-plan.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

const row = { task: 'books a slot', tool: 'create_event', fault: 'timeout' };

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return OtelEvalError.is(error) ? `${error.code} ${error.message}` : String(error);
  }
  return 'nothing was thrown';
};

describe('fault plan', () => {
  test('R4-12, R4-13: rows with tool, occurrence, fault and mode; each is a scenario of its own', () => {
    const { rows } = parseFaultPlan([
      row,
      { ...row, fault: { kind: 'http_429', retryAfterSeconds: 20 }, mode: { virtualSeconds: 20 }, occurrence: 2 },
      {
        ...row,
        row: 'five',
        fault: { kind: 'partial', ok: 3, rejected: 2 },
        point: 'below_client',
        arguments: { day: 1 },
      },
    ]);
    expect(rows.map(scenarioOfRow)).toEqual(['books a slot#1', 'books a slot#2', 'books a slot#five']);
    expect(rows[0]).toEqual({
      ...row,
      row: '1',
      fault: { kind: 'timeout', seconds: 30 },
      occurrence: 1,
      escalate: [],
      mode: 'single',
      point: 'above_client',
      also: [],
    });
    expect(rows[1]?.fault).toEqual({ kind: 'http_429', retryAfterSeconds: 20 });
  });

  test('R4-36: the hash is of the rows', () => {
    const { hash } = parseFaultPlan([row]);
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(parseFaultPlan([{ fault: 'timeout', tool: 'create_event', task: 'books a slot' }]).hash).toBe(hash);
    expect(parseFaultPlan([{ ...row, fault: 'http_503' }]).hash).not.toBe(hash);
  });

  test.each<[string, unknown, string]>([
    ['no rows', [], 'plan: Too small: expected array to have >=1 items'],
    [
      'an unknown fault',
      [{ ...row, fault: 'gremlin' }],
      'row 1, fault.kind: expected one of error, timeout, timeout_but_applied, http_503, http_429, empty, malformed, partial, stale_read, latency, got "gremlin"',
    ],
    [
      'a fault that needs more',
      [{ ...row, fault: 'malformed' }],
      'row 1, fault.field: Invalid input: expected string, received undefined',
    ],
    ['occurrence 0', [{ ...row, occurrence: 0 }], 'row 1, occurrence: Too small: expected number to be >0'],
    ['occurrence -1', [{ ...row, occurrence: -1 }], 'row 1, occurrence: Too small: expected number to be >0'],
    ['no calls at all', [{ ...row, mode: { calls: 0 } }], 'row 1, mode.calls: Too small: expected number to be >0'],
    [
      'a function as predicate',
      [{ ...row, arguments: () => true }],
      'row 1, arguments: Invalid input: expected record, received function',
    ],
    [
      'a function in a predicate',
      [{ ...row, arguments: { id: () => true } }],
      'row 1, arguments.id: Invalid input: expected string, received function',
    ],
    ['an unknown key', [{ ...row, tol: 'x' }], 'row 1: Unrecognized key: "tol"'],
    ['two equal rows', [row, row], 'rows books a slot#1 and books a slot#2 are the same'],
    [
      'two rows of one name',
      [
        { ...row, row: 'a' },
        { ...row, row: 'a', fault: 'error' },
      ],
      'two rows are named books a slot#a',
    ],
    [
      'two faults for one call',
      [{ ...row, also: [{ tool: 'create_event', fault: 'error' }] }],
      'row books a slot#1 holds two faults for the same call',
    ],
  ])('refuses %s', (_, document, message) => {
    expect(messageOf(() => parseFaultPlan(document))).toContain(`OTEL_EVAL_SUITE fault plan, ${message}`);
  });

  test.each<[string, unknown, string]>([
    [
      'random injection',
      { random: { share: 0.33, seed: 1 } },
      'random injection: the same run would meet another fault next time',
    ],
    [
      'wall-clock seconds',
      { wallSeconds: 20 },
      'wall-clock seconds: which calls they cover depends on the machine; use virtualSeconds',
    ],
  ])('R4-14: a gated run refuses %s', (_, mode, why) => {
    const plan = parseFaultPlan([{ ...row, mode }]);
    expect(messageOf(() => requireRepeatable(plan))).toBe(
      `OTEL_EVAL_SUITE fault plan, row books a slot#1 cannot be gated: ${why}`,
    );
  });

  test('planned modes can be gated', () => {
    const modes = ['single', 'until_end', { calls: 3 }, { virtualSeconds: 20 }, { virtualSeconds: 720, every: 3 }];
    expect(messageOf(() => requireRepeatable(parseFaultPlan(modes.map((mode) => ({ ...row, mode })))))).toBe(
      'nothing was thrown',
    );
  });
});
