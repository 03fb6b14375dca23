import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatGithub } from '../../src/report/format-github.ts';
import { formatJunit } from '../../src/report/format-junit.ts';
import { formatMarkdown } from '../../src/report/format-markdown.ts';
import { formatTerminal } from '../../src/report/format-terminal.ts';
import type { Report, ScenarioReport, TrialReport } from '../../src/report/report.ts';
import { lostByGitlab, refusedByJenkins, unreadOnGithub } from './junit-viewers.ts';
import { parseXml } from './parse-xml.ts';
import {
  failedAssertion,
  failedTrial,
  passedAssertion,
  passedTrial,
  sampleReport,
  scenarios,
} from './sample-report.ts';

const golden = (name: string): string => `golden/${name}`;

/** Names and messages that would like to be more than text. */
const hostile = '::error::x\n<img src=x onerror=alert(1)> @team **b** [a](http://e.example) | ``` %0A & "q" $x';

function hostileReport(text: string): Report {
  const trial: TrialReport = {
    ...failedTrial,
    evidence: text,
    tree: failedTrial.tree.map((row) => ({ ...row, name: text })),
    assertions: failedTrial.assertions.map((assertion) => ({
      ...assertion,
      findings: assertion.findings.map((finding) => ({ ...finding, message: text, observed: text })),
      missing: assertion.missing.map(({ kind }) => ({ kind, message: text })),
    })),
  };
  const missing = [{ kind: 'policy', message: text }];
  return { ...sampleReport, suite: text, scenarios: [{ ...scenarios[0]!, name: text, missing, trials: [trial] }] };
}

describe('JUnit', () => {
  const withPolicy: ScenarioReport = {
    ...scenarios[0]!,
    policy: 'at least 1 of 2',
    rule: { kind: 'passes', passes: 1 },
    planned: 2,
  };
  const error = { code: 'OTEL_EVAL_UNAVAILABLE', message: 'no answer' };
  const reports: Record<string, Report> = {
    'every status': sampleReport,
    'a policy': { ...sampleReport, scenarios: [withPolicy] },
    'unavailable, without times': {
      ...sampleReport,
      status: 'unavailable',
      error,
      durationMs: 1_234_567,
      scenarios: scenarios.map((scenario) => ({ ...scenario, status: 'unavailable', trials: [] })),
    },
    'hostile text': hostileReport(hostile),
  };

  test.each(Object.entries(reports))('%s: Jenkins, GitLab and viewers on GitHub take it', (_, report) => {
    const root = parseXml(formatJunit(report));
    expect(refusedByJenkins(root)).toEqual([]);
    expect(lostByGitlab(root)).toEqual([]);
    expect(unreadOnGithub(root)).toEqual([]);
  });

  test('the rules can refuse', () => {
    const root = parseXml(
      '<testsuites skipped="1"><testsuite name="a" time="1 s"><testcase/><testcase><error/><failure/></testcase></testsuite></testsuites>',
    );
    expect(refusedByJenkins(root)).toEqual([
      'testsuites: unknown attribute skipped',
      'testsuites/testsuite[0]: tests is missing',
      'testsuites/testsuite[0]: failures is missing',
      'testsuites/testsuite[0]: errors is missing',
      'testsuites/testsuite[0]: time 1 s',
      'testsuites/testsuite[0]/testcase[0]: name is missing',
      'testsuites/testsuite[0]/testcase[1]: name is missing',
    ]);
    expect(lostByGitlab(root)).toEqual(['a /  / : twice', 'a /  / : 2 outcomes']);
    expect(unreadOnGithub(root)).toHaveLength(6);
  });

  test('two assertions of one name are two cases: a pass does not hide a failure', () => {
    const trial = { ...failedTrial, assertions: [failedAssertion, passedAssertion] };
    const report = { ...sampleReport, scenarios: [{ ...scenarios[0]!, trials: [trial] }] };
    const [suite] = parseXml(formatJunit(report)).children;
    expect(suite?.children.map(({ attributes }) => attributes['name'])).toEqual([
      'ExecutionTraceJoined',
      'ExecutionTraceJoined (2)',
    ]);
    expect(lostByGitlab(parseXml(formatJunit(report)))).toEqual([]);
  });

  test('an undecided case says in its text which evidence is missing', () => {
    const errors = parseXml(formatJunit(sampleReport)).children.flatMap(({ children }) =>
      children.flatMap((each) => each.children.filter(({ name }) => name === 'error')),
    );
    expect(errors[0]?.text).toBe('failed tool calls are not visible in this trace');
  });
});

describe('Markdown', () => {
  test('golden', async () => {
    await expect(formatMarkdown(sampleReport)).toMatchFileSnapshot(golden('summary.golden.md'));
  });

  test('hostile text stays text', () => {
    const markdown = formatMarkdown(hostileReport(hostile));
    const outside = markdown.replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '');
    expect(outside).not.toMatch(/<img|@team/);
    // The heading of a block is a line of HTML, where Markdown reads no markup.
    const read = outside.split('\n').filter((line) => !line.startsWith('<details>'));
    expect(read.join('\n')).not.toMatch(/\*\*b\*\*|\]\(http|http:/);
    expect(outside.match(/<\/?(details|summary|br)>/g)?.length).toBe(5);
    // A fence longer than any within.
    expect(markdown).toContain('````text\n');
  });

  test('no text ends its block or its table row, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'`|<>\n\\*@~[]()a '), maxLength: 30 }), (text) => {
        const markdown = formatMarkdown(hostileReport(text));
        const fences = [...markdown.matchAll(/^(`{3,})text\n([\s\S]*?)\n\1$/gm)];
        expect(fences).toHaveLength(1);
        expect(fences[0]?.[2]).toContain('rerun');
        const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
        expect(rows).toHaveLength(3);
        expect(rows[2]?.replace(/\\\\|\\\|/g, '').match(/\|/g)).toHaveLength(4);
      }),
      { numRuns: 300 },
    );
  });

  test('has room for a comment on GitHub, and says what is left out', () => {
    const trials = Array.from({ length: 500 }, (_, i) => ({ ...failedTrial, index: i + 1 }));
    const markdown = formatMarkdown({ ...sampleReport, scenarios: [{ ...scenarios[0]!, trials }] });
    expect(markdown.length).toBeLessThan(65_536);
    const told = markdown.match(/<details>/g)?.length ?? 0;
    expect(told).toBeGreaterThan(20);
    expect(markdown.trimEnd().split('\n').at(-1)).toBe(`… ${500 - told} more did not pass: see the other reports.`);
  });
});

describe('GitHub annotations', () => {
  /** As the runner reads a command: `##[…]` is history, this is the form in force. */
  function commandsOf(text: string): { level: string; title: string; message: string }[] {
    const plain = (value: string): string =>
      value.replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%');
    return text.split('\n').flatMap((line) => {
      const [, level = '', title = '', message = ''] = /^::(\w+) title=([^,:]*)::(.*)$/.exec(line) ?? [];
      return level === '' ? [] : [{ level, title: plain(title), message: plain(message) }];
    });
  }

  test('golden', async () => {
    await expect(formatGithub(sampleReport)).toMatchFileSnapshot(golden('github.golden.txt'));
  });

  test('failed is an error, undecided a warning; each holds the text of its failure', () => {
    const commands = commandsOf(formatGithub(sampleReport));
    expect(commands.map(({ level, title }) => `${level} ${title}`)).toEqual([
      'error refunds a paid invoice: execution-trace-joined/orphan-span',
      'warning looks nothing up twice: ToolCalled, WithinBudget',
      'warning escalates: inconclusive',
    ]);
    expect(commands[0]?.message).toContain('\n    ✗ execute_tool lookup_invoice  0.03 s  parent 9a01c2… missing\n');
    expect(commands[2]?.message).toBe('expected at least one run with service billing, got none');
  });

  test('a pass says nothing', () => {
    expect(formatGithub({ ...sampleReport, scenarios: [{ ...scenarios[2]!, trials: [passedTrial] }] })).toBe('');
  });

  test('more than GitHub shows of a level are counted in the last one', () => {
    const trials = Array.from({ length: 25 }, (_, i) => ({ ...failedTrial, index: i + 1 }));
    const commands = commandsOf(formatGithub({ ...sampleReport, scenarios: [{ ...scenarios[0]!, trials }] }));
    expect(commands).toHaveLength(10);
    expect(commands.at(-1)?.title).toBe('16 more');
  });

  test('no text makes a command of its own, in the annotation or in the report beside it', () => {
    const report = hostileReport(hostile);
    const terminal = formatTerminal({ ...report, suite: '::notice::all passed' });
    const text = formatGithub(report, terminal);
    const word = createHash('sha256').update(terminal).digest('hex').slice(0, 32);
    const [before, inside, after = ''] = text.split(new RegExp(`^::(?:stop-commands::${word}|${word}::)\n`, 'm'));
    expect(before).toBe('');
    expect(inside).toBe(terminal);
    expect(
      after
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 14)),
    ).toEqual(['::error title=']);
    expect(commandsOf(after)[0]?.message).toContain('%0A & "q" $x');
  });
});
