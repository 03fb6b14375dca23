import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../../shared-cases.ts';
import { captureFiles } from './capture-files.ts';
import { judged, tracesOf, type VerdictStatus } from './judged.ts';
import { applicable, outcomeOf, type Recorded, readCapture, suiteOf } from './outcomes.ts';
import { recordedAgain } from './recorded-again.ts';

// Every capture in .ci/run; a sample of them elsewhere, which takes a few seconds.
const everyNth = process.env['OTEL_EVAL_ALL_CAPTURES'] === undefined ? 24 : 1;
/** So many mutations of each capture; every one that can be made with OTEL_EVAL_ALL_MUTATIONS=1. */
const wanted = process.env['OTEL_EVAL_ALL_MUTATIONS'] === undefined ? 10 : Number.POSITIVE_INFINITY;

const skipped = sharedCases === undefined;
const reason = skipped ? ` (${withoutSharedCases})` : '';
const folder = join(sharedCases ?? '', 'captures');
const captures = skipped ? [] : captureFiles(folder);
const sample = captures.filter(
  ({ name }, i) => i % everyNth === 0 && name.includes(process.env['OTEL_EVAL_CAPTURE'] ?? ''),
);

/** The first of those that can be made, in an order that the name of the capture decides and nothing else. */
function drawn(capture: string, recorded: Recorded): string[] {
  const rank = (mutation: string): string => createHash('sha256').update(`${capture}\n${mutation}`).digest('hex');
  const all = [...applicable(recorded).keys()].map((name) => ({ name, rank: rank(name) }));
  return all
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, wanted)
    .map(({ name }) => name);
}

test.skipIf(skipped)(
  `what is generated from a capture passes on it, and fails on ten mutations of it${reason}`,
  { timeout: 1_800_000 },
  async () => {
    const table: Record<string, Record<VerdictStatus, number>> = {};
    const notRed: string[] = [];
    for (const capture of sample) {
      const recorded = readCapture(capture);
      const suite = suiteOf(capture.name, recorded.traces);
      expect([capture.name, await judged(suite, recorded.traces)]).toEqual([capture.name, 'passed']);
      const names = drawn(capture.name, recorded);
      expect([capture.name, names.length >= 10]).toEqual([capture.name, true]);
      for (const name of names) {
        const outcome = await outcomeOf(suite, recorded, name);
        table[name] ??= { failed: 0, inconclusive: 0, passed: 0 };
        table[name][outcome] += 1;
        if (outcome !== 'failed') notRed.push(`${capture.name}: ${name}: ${outcome}`);
      }
    }
    console.table(table);
    expect(notRed).toEqual([]);
  },
);

test.skipIf(skipped)(`what is generated from a capture passes on the same run on another day${reason}`, async () => {
  for (const capture of sample) {
    const recorded = readCapture(capture);
    const again = recordedAgain(recorded.rows);
    const verdict = await judged(suiteOf(capture.name, recorded.traces), tracesOf(again.spans, again.logs));
    expect([capture.name, verdict]).toEqual([capture.name, 'passed']);
  }
});

/** The same program recorded twice: with another SDK, with another processor. */
const twins = captures
  .map(({ name }) => [name, name.replace(/\.sdk3$|-simple$/, '')] as const)
  .filter(([name, twin]) => name !== twin && captures.some((capture) => capture.name === twin))
  .filter((_, i) => i % Math.min(everyNth, 6) === 0);

test.skipIf(skipped)(
  `what is generated from one recording passes on another of the same program, and the other way round${reason}`,
  async () => {
    const verdicts: Record<string, string> = {};
    for (const pair of twins) {
      const recorded = pair.map((name) =>
        readCapture({ name, files: captures.find((one) => one.name === name)?.files ?? [] }),
      );
      for (const [from, to] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const [own, other] = [recorded[from], recorded[to]];
        if (own === undefined || other === undefined) continue;
        verdicts[`${pair[from]} on ${pair[to]}`] = await judged(suiteOf(pair[from], own.traces), other.traces);
      }
    }
    expect(Object.keys(verdicts).length).toBe(twins.length * 2);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['passed']));
  },
);
