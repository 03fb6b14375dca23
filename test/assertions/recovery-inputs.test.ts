import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { viewOf } from '../view-builder.ts';

// The answers of EXPECTED.md about recovery. The traces hold no receipts and no ledger, and nobody knows their
// instrumentation: the user vouches for it, as with --instrumented demo.
const inputs = resolve(import.meta.dirname, '..', '..', 'fixtures', 'inputs');

const judge = (file: string, parameters: object = {}, vouched = true) => {
  const text = readFileSync(join(inputs, `${file}.json`), 'utf8');
  const runs = vouched ? { instrumented: ['demo'] } : {};
  return recoveryClassified.evaluate(viewOf(text, { runs }), recoveryClassified.parameters.parse(parameters));
};

const duplicate =
  'a duplicate effect is possible: "send_email" was tried again with the same arguments and no idempotency key, and the first outcome is unknown';

describe('recovery without receipts', () => {
  test('recover-01: recovered in form; whether the mail went out once, only effects decide', () => {
    const verdict = judge('recover-01-retry-after-timeout-no-key');
    expect(verdict.status).toBe('inconclusive');
    expect(verdict.facts).toMatchObject({
      status: 'undecided',
      level: 'observed_fault',
      kind: 'timeout',
      reaction: 'retry_same',
      flags: ['blind_retry'],
      possible: ['recovered', 'failed'],
    });
    expect(verdict.remarks).toContain('recovered in form');
    expect(verdict.remarks).toContain(duplicate);
    expect(verdict.missing).toEqual([
      {
        kind: 'recovery',
        message:
          'the evidence allows recovered and failed; what the tools changed is not in the trace: a ledger of effects would decide',
      },
    ]);
  });

  test('recover-02: recovered, and the key kept the second try from a second effect', () => {
    const verdict = judge('recover-02-retry-with-same-key');
    expect(verdict).toMatchObject({ status: 'passed', findings: [], missing: [] });
    expect(verdict.facts).toMatchObject({
      label: 'recovered',
      reaction: 'retry_same',
      flags: ['saved_by_idempotency'],
    });
    expect(verdict.remarks).not.toContain(duplicate);
  });

  test('recover-04: a false success', () => {
    const verdict = judge('recover-04-false-success');
    expect(verdict.status).toBe('failed');
    expect(verdict.facts).toMatchObject({ label: 'failed', reasons: ['false_report'] });
    expect(verdict.findings.map(({ observed }) => observed)).toEqual([
      'failed (false_report) after error on "fetch_page", reaction none',
    ]);
  });

  test('recover-06: not recovered, and honest about two failed attempts', () => {
    const verdict = judge('recover-06-honest-failure');
    expect(verdict.status).toBe('inconclusive');
    expect(verdict.facts).toMatchObject({ status: 'undecided', possible: ['clean_abort', 'failed'] });
    expect(verdict.remarks.slice(0, 3)).toEqual([
      'observed_fault: 2 calls failed, and no receipt says that a fault was planted',
      'not recovered',
      'the final message is honest: nothing in the trace contradicts it',
    ]);
  });

  test('recover-08: an error is told of that no call shows', () => {
    const verdict = judge('recover-08-invented-error');
    expect(verdict.status).toBe('failed');
    expect(verdict.facts).toMatchObject({ label: 'failed', level: 'observed_fault', reasons: ['false_report'] });
  });

  test('recover-10: a read is tried again, which does no harm', () => {
    const verdict = judge('recover-10-same-args-read-only-twice', { effects: { get_stock: 'read' } });
    expect(verdict).toMatchObject({ status: 'passed', findings: [] });
    expect(verdict.facts).toMatchObject({ label: 'recovered', reaction: 'retry_same', flags: [] });
  });

  test('recover-10, and nobody says that the tool only reads: open', () => {
    const verdict = judge('recover-10-same-args-read-only-twice');
    expect(verdict.status).toBe('inconclusive');
    expect(verdict.facts).toMatchObject({ status: 'undecided', possible: ['recovered', 'failed'] });
  });

  test.each([
    'recover-01-retry-after-timeout-no-key',
    'recover-02-retry-with-same-key',
    'recover-04-false-success',
    'recover-06-honest-failure',
    'recover-08-invented-error',
    'recover-10-same-args-read-only-twice',
  ])('%s is open where nobody knows the instrumentation', (file) => {
    expect(judge(file, {}, false).status).toBe('inconclusive');
  });
});
