import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { otlpReceiverCollector } from '../../../collectors/otlp-receiver.ts';
import type { Report } from '../../../src/report/report.ts';
import { runCli } from '../run-cli.ts';
import { root } from './built-cli.ts';

interface OtlpSpan {
  name: string;
  spanId: string;
  parentSpanId?: string;
  status: { code: number };
  links: { traceId: string }[];
  attributes: { key: string; value: { stringValue?: string } }[];
}
interface OtlpLine {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const flaky = join(root, 'fixtures/suites/flaky/flaky.suite.mjs');
const own = join(root, 'fixtures/suites/own-trace.yaml');
let folder: string;
let lines: OtlpLine[];
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otel-eval-own-'));
  const path = join(folder, 'own.jsonl');
  const ran = await runCli(['run', flaky, '--seed', '2', '--json', '--own-trace', path], { cwd: root });
  report = JSON.parse(ran.stdout) as Report;
  lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as OtlpLine);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spans = (of: OtlpLine[]): OtlpSpan[] =>
  of.flatMap((line) => line.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));

async function judged(of: OtlpLine[]): Promise<[number, string[]]> {
  const path = join(folder, 'judged.jsonl');
  writeFileSync(path, of.map((line) => JSON.stringify(line)).join('\n'));
  const { code, stdout } = await runCli(['check', own, '--input', path, '--json']);
  const assertions = (JSON.parse(stdout) as Report).scenarios.flatMap(({ trials }) =>
    trials.flatMap((trial) => trial.assertions),
  );
  return [code, assertions.flatMap(({ findings }) => findings.map((finding) => finding.code))];
}

/** A copy with some spans changed, or left out where the change says `null`. */
function changed(change: (span: OtlpSpan) => OtlpSpan | null): OtlpLine[] {
  const copy = structuredClone(lines);
  for (const { resourceSpans } of copy)
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) scope.spans = scope.spans.flatMap((span) => change(span) ?? []);
  return copy;
}

test('a run writes a whole trace of itself, and the suite for it passes', async () => {
  const { code, stdout } = await runCli(['check', own, '--input', join(folder, 'own.jsonl'), '--json']);
  const checked = JSON.parse(stdout) as Report;
  expect([code, checked.source.completeness]).toEqual([0, { proven: 1 }]);
});

test('one span for each trial, linked to the trace that the trial made, with no content', () => {
  const trials = spans(lines).filter(({ name }) => name === 'otel_eval trial');
  const made = report.scenarios.flatMap((scenario) => scenario.trials.flatMap(({ traceIds }) => traceIds));
  expect(trials.map(({ links }) => links[0]?.traceId).sort()).toEqual(made.sort());
  const keys = new Set(spans(lines).flatMap(({ attributes }) => attributes.map(({ key }) => key)));
  expect([...keys].filter((key) => !key.startsWith('otel_eval.')).sort()).toEqual([
    'test.case.name',
    'test.suite.name',
  ]);
});

test.each([
  ['a trial that was not judged', 'otel_eval judge'],
  ['a trial whose traces were not collected', 'otel_eval collect'],
])('%s makes it red; a lost span makes it inconclusive', async (_, name) => {
  const [first] = spans(lines).filter((span) => span.name === name);
  // With receipts it is known that the span got lost, which says nothing of the run; without them the file is what there was.
  const without = changed((span) => (span.spanId === first?.spanId ? null : unstamped(span)));
  const [code, codes] = await judged(without);
  expect([code, codes]).toEqual([1, ['spans-match/not-every']]);
  expect(await judged(changed((span) => (span.spanId === first?.spanId ? null : span)))).toEqual([4, []]);
});

test('a phase that broke makes it red', async () => {
  const broken = changed((span) => (span.name === 'otel_eval open' ? { ...span, status: { code: 2 } } : span));
  const [code, codes] = await judged(broken);
  expect([code, [...new Set(codes)]]).toEqual([1, ['spans-match/forbidden-span']]);
});

test('the trace goes to an OTLP endpoint too, and an unwritable place is told', async () => {
  const receiver = await otlpReceiverCollector({ port: 0 });
  const ran = await runCli(['run', flaky, '--seed', '2', '--own-trace', `${receiver.url}/v1/traces`], {
    cwd: root,
  });
  const collection = await receiver.collect();
  const names: string[] = [];
  for await (const group of collection.groups())
    for (const { trace } of group) names.push(...trace.spans.map(({ name }) => name));
  await receiver.close();
  expect([ran.code, names.filter((name) => name === 'otel_eval trial').length]).toEqual([1, 7]);
  const refused = await runCli(['run', flaky, '--own-trace', join(folder, 'absent', 'own.jsonl')], { cwd: root });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('own.jsonl: ENOENT')]);
});

function unstamped(span: OtlpSpan): OtlpSpan {
  return { ...span, attributes: span.attributes.filter(({ key }) => !/receipt|segment|event\.index/.test(key)) };
}
