import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson } from '../../src/report/format-json.ts';
import { formatJunit } from '../../src/report/format-junit.ts';
import { formatTerminal } from '../../src/report/format-terminal.ts';
import type { Report, TrialReport } from '../../src/report/report.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import { textWidth } from '../../src/report/text-width.ts';
import { type XmlElement as Element, parseXml } from './parse-xml.ts';
import { failedTrial, sampleReport, scenarios } from './sample-report.ts';

const golden = (name: string): string => `golden/${name}`;

function everyElement(element: Element, name: string): Element[] {
  const own = element.name === name ? [element] : [];
  return [...own, ...element.children.flatMap((child) => everyElement(child, name))];
}

describe('terminal', () => {
  test('golden', async () => {
    await expect(formatTerminal(sampleReport, { columns: 100 })).toMatchFileSnapshot(golden('terminal.golden.txt'));
  });

  test('golden, narrow', async () => {
    const text = formatTerminal(sampleReport, { columns: 48 });
    await expect(text).toMatchFileSnapshot(golden('terminal-narrow.golden.txt'));
    const wide = text.split('\n').filter((line) => textWidth(line) > 48);
    // Names, codes, the command line and the summary stay whole, to be found and copied.
    expect(wide.map((line) => line.trim().slice(0, 12))).toEqual([
      '✗ refund-age',
      'ExecutionTra',
      'rerun     ot',
      '✗ failed: 1/',
    ]);
  });

  test('without colour there is no escape, with colour the same text', () => {
    const plain = formatTerminal(sampleReport);
    const coloured = formatTerminal(sampleReport, { colour: true });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  test('quiet leaves out what passed, and keeps the summary', () => {
    const text = formatTerminal(sampleReport, { quiet: true });
    expect(text).not.toContain('is joined');
    expect(text).toContain('refunds a paid invoice');
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '✗ failed: 1/4 scenarios passed, 1 failed, 2 inconclusive; 1 packs not applicable',
    );
  });

  test('the summary of a pass is the line that scripts look for', () => {
    const summary = { passed: 2, failed: 0, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 };
    const report: Report = { ...sampleReport, status: 'passed', scenarios: [], summary, applicability: [] };
    expect(formatTerminal(report)).toContain('passed: 2/2 scenarios passed; 0 packs not applicable\n');
  });
});

describe('JSON', () => {
  test('golden', async () => {
    await expect(formatJson(sampleReport)).toMatchFileSnapshot(golden('report.golden.json'));
  });

  test('is what the published schema describes, and comes back whole', () => {
    const parsed = reportSchema.parse(JSON.parse(formatJson(sampleReport)));
    expect(parsed).toEqual(sampleReport);
  });

  test('the schema refuses a report whose verdict is misspelt', () => {
    const result = reportSchema.safeParse({ ...sampleReport, status: 'pass' });
    expect(result.success).toBe(false);
  });

  test('the keys that others read stand in the fixed order', () => {
    const report = JSON.parse(formatJson(sampleReport));
    const trial = report.scenarios[0].trials[1];
    expect(Object.keys(report)).toEqual([
      'schema',
      'version',
      'suite',
      'startedAt',
      'durationMs',
      'status',
      'exitCode',
      'source',
      'summary',
      'applicability',
      'scenarios',
    ]);
    expect(Object.keys(report.source).slice(0, 5)).toEqual([
      'kind',
      'address',
      'completeness',
      'fetched',
      'unselected',
    ]);
    expect(Object.keys(report.scenarios[0]).slice(0, 4)).toEqual(['name', 'status', 'tags', 'trials']);
    expect(Object.keys(trial).slice(0, 8)).toEqual([
      'index',
      'seed',
      'status',
      'traceIds',
      'runId',
      'durationMs',
      'steps',
      'assertions',
    ]);
    expect(Object.keys(trial.assertions[0]).slice(0, 6)).toEqual([
      'name',
      'passed',
      'status',
      'examined',
      'findings',
      'missing',
    ]);
    expect(Object.keys(trial.assertions[0].findings[0]).slice(0, 4)).toEqual(['code', 'message', 'arguments', 'spans']);
  });
});

describe('JUnit', () => {
  test('golden', async () => {
    await expect(formatJunit(sampleReport)).toMatchFileSnapshot(golden('junit.golden.xml'));
  });

  test('counts add up, at every level', () => {
    const root = parseXml(formatJunit(sampleReport));
    const counts = ({ attributes }: Element): string =>
      ['tests', 'failures', 'errors', 'skipped'].map((key) => attributes[key]).join('/');
    // The schema of Jenkins has no `skipped` on the root.
    expect(counts(root)).toBe('9/1/4/');
    expect(root.children.map((suite) => `${suite.attributes['name']} ${counts(suite)}`)).toEqual([
      'refund-agent › refunds a paid invoice 3/1/1/0',
      'refund-agent › looks nothing up twice 3/0/2/0',
      'refund-agent › is joined 1/0/0/0',
      'refund-agent › escalates 1/0/1/0',
      'packs 1/0/0/1',
    ]);
    for (const suite of root.children) {
      expect(String(everyElement(suite, 'testcase').length)).toBe(suite.attributes['tests']);
    }
  });

  test('failed is a failure, inconclusive an error with a type, a pack that does not apply is skipped with its reason', () => {
    const root = parseXml(formatJunit(sampleReport));
    expect(everyElement(root, 'failure').map(({ attributes }) => attributes['type'])).toEqual([
      'execution-trace-joined/orphan-span',
    ]);
    expect(new Set(everyElement(root, 'error').map(({ attributes }) => attributes['type']))).toEqual(
      new Set(['inconclusive']),
    );
    expect(everyElement(root, 'skipped').map(({ attributes }) => attributes['message'])).toEqual([
      'missing: tool approve_refund',
    ]);
  });

  test('the text of a failed trial stands once, as on the terminal', () => {
    const outputs = everyElement(parseXml(formatJunit(sampleReport)), 'system-out').map(({ text }) => text);
    expect(outputs).toHaveLength(2);
    expect(outputs[0]).toContain('    ✗ execute_tool lookup_invoice  0.03 s  parent 9a01c2… missing');
  });

  test('unavailable is skipped with its reason, an error is an error', () => {
    const error = { code: 'OTEL_EVAL_UNAVAILABLE', message: 'no answer from 127.0.0.1:1' };
    const missing = [{ kind: error.code, message: error.message }];
    const [scenario] = scenarios;
    const unavailable: Report = {
      ...sampleReport,
      status: 'unavailable',
      applicability: [],
      error,
      scenarios: [{ ...scenario!, status: 'unavailable', trials: [], missing }],
    };
    const root = parseXml(formatJunit(unavailable));
    expect(everyElement(root, 'skipped').map(({ attributes }) => attributes['message'])).toEqual([
      error.message,
      error.message,
    ]);
    expect([everyElement(root, 'error').length, everyElement(root, 'failure').length]).toEqual([0, 0]);
  });

  test('is well-formed and keeps what XML can hold, for any text anywhere', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...'\u0000\u001b\ufffe\uffff\ud800\udc00<>&"\'\n\r\t]]>x'), maxLength: 40 }),
    );
    fc.assert(
      fc.property(hostile, hostile, (name, text) => {
        const trial: TrialReport = {
          ...failedTrial,
          evidence: text,
          tree: failedTrial.tree.map((row) => ({ ...row, name })),
          assertions: failedTrial.assertions.map((assertion) => ({
            ...assertion,
            findings: assertion.findings.map((finding) => ({ ...finding, message: text, observed: text })),
            missing: assertion.missing.map(({ kind }) => ({ kind, message: text })),
          })),
        };
        const report = { ...sampleReport, suite: name, scenarios: [{ ...scenarios[0]!, name, trials: [trial] }] };
        const xml = formatJunit(report);
        const root = parseXml(xml);
        const kept = (value: string): string =>
          value.replace(/[^\t\n\r\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
        expect(root.attributes['name']).toBe(kept(name));
        expect(everyElement(root, 'failure')[0]?.attributes['message']).toBe(kept(text));
        expect(xml).not.toMatch(/&#(x0*[0-8bcef]|0*(?:[0-8]|1[124-9]|2\d|3[01]));/i);
      }),
      { numRuns: 300 },
    );
  });
});
