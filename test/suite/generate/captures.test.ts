import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedCases, withoutSharedCases } from '../../shared-cases.ts';
import { captureFiles } from './capture-files.ts';
import { judged, tracesOf, type VerdictStatus } from './judged.ts';
import { notRed } from './not-red.ts';
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
    const found: string[] = [];
    const known: string[] = [];
    let allRed = 0;
    for (const capture of sample) {
      const recorded = readCapture(capture);
      const suite = suiteOf(capture.name, recorded.traces);
      expect([capture.name, await judged(suite, recorded.traces)]).toEqual([capture.name, 'passed']);
      const names = drawn(capture.name, recorded);
      expect([capture.name, names.length >= 10]).toEqual([capture.name, true]);
      const before = found.length;
      for (const name of names) {
        const outcome = await outcomeOf(suite, recorded, name);
        table[name] ??= { failed: 0, inconclusive: 0, passed: 0 };
        table[name][outcome] += 1;
        const exception = `${capture.name}: ${name}: `;
        if (outcome !== 'failed') found.push(exception + outcome);
        known.push(...[...notRed.keys()].filter((line) => line.startsWith(exception)));
      }
      if (found.length === before) allRed += 1;
    }
    console.table(table);
    console.log(`${sample.length} captures; all mutations red on ${allRed}. Not red:`);
    console.log(found.map((line) => `${line}: ${notRed.get(line) ?? 'not known before'}`).join('\n') || 'none');
    expect(found.sort()).toEqual(known.sort());
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
