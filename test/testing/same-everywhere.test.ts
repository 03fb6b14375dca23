import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { otlpFileCollector } from '../../collectors/otlp-file.ts';
import { evaluate } from '../../src/evaluate.ts';
import { type AssertionDocument, defineSuite } from '../../src/index.ts';
import { assertTrace, type RecordedRun } from '../../src/testing/index.ts';
import { matchers } from '../../src/testing/matchers.ts';
import { kebabCase } from '../../src/verdict/finding.ts';
import { collectTrace } from '../../src/vitest/index.ts';

// Matchers, assertTrace and the assertions of suites are the same assertions under three names.

const fixtures = join(resolve(import.meta.dirname, '../..'), 'fixtures', 'assertions');
const statuses = ['passed', 'failed', 'inconclusive'] as const;
const marks = { '✗': 'failed', '?': 'inconclusive' } as const;

type Say = (run: RecordedRun) => void;
type Matcher = keyof typeof matchers;
// biome-ignore lint/suspicious/noExplicitAny: parameters as they stand in a file
type Parameters = any;

/** The name of its own that an assertion has in each door, where it has one. */
const named: Readonly<
  Record<string, { matcher: Matcher; statement: keyof typeof assertTrace; args: (p: Parameters) => unknown[] }>
> = {
  ExecutionTraceJoined: { matcher: 'toBeJoined', statement: 'joined', args: (p) => [p] },
  ToolCalled: {
    matcher: 'toHaveCalledTool',
    statement: 'calledTool',
    args: ({ match: { tool, ...match }, expect: count }) => [tool, { ...match, ...count }],
  },
  ToolSucceeded: { matcher: 'toHaveToolSucceeded', statement: 'toolSucceeded', args: ({ match }) => [match.tool] },
  ToolOrder: { matcher: 'toHaveSteps', statement: 'steps', args: ({ mode, calls }) => [calls, { order: mode }] },
  SpansMatch: { matcher: 'toHaveSpans', statement: 'spans', args: ({ match, expect: count }) => [match, count] },
  WithinBudget: { matcher: 'toStayWithin', statement: 'within', args: (p) => [p] },
  TracePrivacyModes: { matcher: 'toKeepContentOut', statement: 'contentKeptOut', args: (p) => [p] },
};

/** Status and text of a statement, without its first line, which names it. */
function told(say: () => void): { status: string; text: string } {
  try {
    say();
    return { status: 'passed', text: '' };
  } catch (error) {
    const { message } = error as Error;
    const [first = '', ...rest] = message.split('\n');
    return { status: marks[first[0] as keyof typeof marks] ?? message, text: rest.join('\n') };
  }
}

/** All ways in which a test can say it, by their names. */
function ways(id: string, parameters: Parameters): [string, Say][] {
  const document = { [id]: parameters } as AssertionDocument;
  const viaRunner =
    (matcher: Matcher, args: unknown[], isNot: boolean): Say =>
    (run) => {
      const { pass, message } = matchers[matcher].call({ isNot }, run, ...args);
      if (pass === isNot) throw new Error(message());
    };
  const own = named[id];
  return [
    ['expect(run).toSatisfy', (run) => expect(run).toSatisfy(document)],
    ['assertTrace.satisfies', (run) => assertTrace.satisfies(run, document)],
    ['toSatisfy in Jest', viaRunner('toSatisfy', [document], false)],
    ...(own === undefined
      ? []
      : ([
          [`expect(run).${own.matcher}`, viaRunner(own.matcher, own.args(parameters), false)],
          [
            `assertTrace.${own.statement}`,
            (run) =>
              (assertTrace[own.statement] as (run: RecordedRun, ...args: unknown[]) => void)(
                run,
                ...own.args(parameters),
              ),
          ],
        ] as [string, Say][])),
  ];
}

async function bySuite(input: string, id: string, parameters: Parameters) {
  const suite = defineSuite({
    schema: 'otel-eval/suite/v1',
    scenarios: [{ name: 'all', assertions: [{ [id]: parameters } as AssertionDocument] }],
  });
  const report = await evaluate(suite, otlpFileCollector({ inputs: [input] }), { oneRun: true });
  const [assertion] = report.scenarios.flatMap(({ trials }) => trials.flatMap((trial) => trial.assertions));
  return { status: assertion?.status, codes: assertion?.findings.map(({ code }) => code) ?? [] };
}

const counted = {
  match: { name: 'chat scripted-1' },
  expect: { exactly: 2 },
  allowEmpty: 'the count is what is asked',
};
const rows = assertions.flatMap(({ id }) => {
  const { parameters } = JSON.parse(readFileSync(join(fixtures, kebabCase(id), 'verdicts.json'), 'utf8'));
  return statuses.map((status) => [id, status, parameters] as const);
});
const countRows = statuses.map((status) => ['SpansMatch', status, counted] as const);

describe.each([...rows, ...countRows])('%s on the fixture %s', (id, fixture, parameters) => {
  const input = join(fixtures, kebabCase(id), `${fixture}.otlp.json`);
  // A query over every span has no matcher of its own.
  const hasOwn = id !== 'SpansMatch' || parameters === counted;
  const all = ways(id, parameters).filter(([name]) => hasOwn || !/toHaveSpans|\.spans$/.test(name));

  test('one verdict and one text, whoever asks', async () => {
    const run = await collectTrace({ source: 'file', input, oneRun: true });
    const suite = await bySuite(input, id, parameters);
    const answers = all.map(([name, say]) => ({ name, ...told(() => say(run)) }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => suite.status));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const code of suite.codes) expect(answers[0]?.text).toContain(code);
    if (parameters !== counted) expect(suite.status).toBe(fixture);
  });

  test('the opposite holds where it is known not to hold, and nowhere else', async () => {
    const run = await collectTrace({ source: 'file', input, oneRun: true });
    const { status } = told(() => expect(run).toSatisfy({ [id]: parameters } as AssertionDocument));
    const opposite = told(() => expect(run).not.toSatisfy({ [id]: parameters } as AssertionDocument)).status;
    expect(opposite).toBe({ passed: 'failed', failed: 'passed', inconclusive: 'inconclusive' }[status]);
  });
});
