import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { loadSuite, readSuite } from '../../src/suite/load-suite.ts';
import { problemText } from '../../src/suite/suite-problem.ts';
import type { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { scratchFolder } from '../cli/run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));

async function problemsOf(text: string, name = 'suite.yaml'): Promise<string[]> {
  writeFileSync(scratch.file(name), text);
  const { problems } = await readSuite(name, registry, scratch.path);
  return (problems ?? []).map((problem) => problemText(name, problem));
}

async function errorOf(text: string, name = 'suite.yaml'): Promise<OtelEvalError> {
  writeFileSync(scratch.file(name), text);
  return loadSuite(name, registry, scratch.path).then(
    () => expect.unreachable('it was accepted'),
    (error) => error as OtelEvalError,
  );
}

const good = `schema: otel-eval/suite/v1
traces: { source: file, input: [traces/*.jsonl] }
scenarios:
  - name: refunds
    tags: [fast]
    select: { service: order-support }
    root: remote
    absentParentOf: step
    services: [order-support, payments]
    completeness: settled
    runBy: conversation
    assertions:
      - ExecutionTraceJoined
      - ToolCalled: { match: { tool: issue_refund }, expect: { exactly: 1 } }
`;

describe('a suite', () => {
  test('is the same in YAML, JSON and TypeScript', async () => {
    writeFileSync(scratch.file('a.suite.yaml'), good);
    const yaml = await loadSuite('a.suite.yaml', registry, scratch.path);
    const data = {
      schema: 'otel-eval/suite/v1',
      traces: { source: 'file', input: ['traces/*.jsonl'] },
      scenarios: [
        {
          name: 'refunds',
          tags: ['fast'],
          select: { service: 'order-support' },
          root: 'remote',
          absentParentOf: ['step'],
          services: ['order-support', 'payments'],
          completeness: 'settled',
          runBy: 'conversation',
          assertions: [
            'ExecutionTraceJoined',
            { ToolCalled: { match: { tool: 'issue_refund' }, expect: { exactly: 1 } } },
          ],
        },
      ],
    };
    writeFileSync(scratch.file('a.suite.json'), JSON.stringify(data, null, '\t'));
    writeFileSync(
      scratch.file('a.suite.ts'),
      `const suite: object = ${JSON.stringify(data)};\nexport default suite;\n`,
    );
    const [json, typescript] = await Promise.all(
      ['a.suite.json', 'a.suite.ts'].map((name) => loadSuite(name, registry, scratch.path)),
    );
    const { path: _, ...plain } = yaml;
    expect(plain.name).toBe('a');
    expect(json).toMatchObject(plain);
    expect(typescript).toMatchObject(plain);
    expect(yaml.scenarios[0]).toMatchObject({
      name: 'refunds',
      root: 'remote',
      absentParentOf: ['step'],
      services: ['order-support', 'payments'],
      completeness: 'settled',
      runBy: 'conversation',
      oneRun: false,
    });
    expect(yaml.scenarios[0]?.assertions.map(({ assertion }) => assertion.id)).toEqual([
      'ExecutionTraceJoined',
      'ToolCalled',
    ]);
  });

  test('a scenario and a row of the fault plan of one name are refused: their trials could not be told apart', async () => {
    const text = `schema: otel-eval/suite/v1
scenarios:
  - { name: books, assertions: [ToolSucceeded] }
  - { name: "books#1", assertions: [ToolSucceeded] }
faults:
  recovery: { budget: unlimited }
  rows:
    - { task: books, tool: book, fault: timeout }
`;
    expect(await problemsOf(text)).toEqual([
      'suite.yaml:8:15: a scenario is named as row "books#1" at faults.rows[0].task; give the row another name: row:',
    ]);
  });

  test('has its mistakes told with line, column and the nearest name, in the order of the file', async () => {
    const text = `schema: otel-eval/suite/v1
trace: { source: file }
scenarios:
  - nmae: refunds
    select: { servce: order-support }
    assertions:
      - ToolCaled: {}
      - ToolCalled: { mtch: { tool: a } }
`;
    expect(await problemsOf(text)).toEqual([
      'suite.yaml:2:1: unknown key "trace"; did you mean "traces"?',
      'suite.yaml:4:5: unknown key "nmae" at scenarios[0]; did you mean "name"?',
      'suite.yaml:5:15: unknown key "servce" at scenarios[0].select; did you mean "service"?',
      'suite.yaml:7:9: unknown assertion "ToolCaled" at scenarios[0].assertions[0].ToolCaled; did you mean "ToolCalled"?',
      'suite.yaml:8:23: unknown key "mtch" at scenarios[0].assertions[1].ToolCalled; did you mean "match"?',
    ]);
  });

  test('declares the parent that is absent by names of spans', async () => {
    const text = (names: string) => `schema: otel-eval/suite/v1
scenarios:
  - { name: a, ${names}, assertions: [ExecutionTraceJoined] }
`;
    expect(await problemsOf(text('absentParentsOf: [step]'))).toEqual([
      'suite.yaml:3:16: unknown key "absentParentsOf" at scenarios[0]; did you mean "absentParentOf"?',
    ]);
    expect(await problemsOf(text('absentParentOf: []'))).toEqual([
      'suite.yaml:3:32: too small: expected array to have >=1 items at scenarios[0].absentParentOf',
    ]);
    expect(await problemsOf(text('absentParentOf: [7]'))).toEqual([
      'suite.yaml:3:33: expected a string, got a number at scenarios[0].absentParentOf[0]',
    ]);
  });

  test('in JSON has them too', async () => {
    const text = `{
  "schema": "otel-eval/suite/v1",
  "scenarios": [
    { "name": "a", "asertions": [] }
  ]
}`;
    expect(await problemsOf(text, 'suite.json')).toEqual([
      'suite.json:4:20: unknown key "asertions" at scenarios[0]; did you mean "assertions"?',
    ]);
  });

  test.each([
    [
      'a wrong schema',
      'schema: otel-eval/suite/v2\nscenarios: []\n',
      'suite.yaml:1:9: expected "otel-eval/suite/v1", got "otel-eval/suite/v2" at schema (and 1 more; "otel-eval validate" lists them)',
    ],
    ['a list', '- a\n', 'suite.yaml:1:1: expected a map, got a list'],
    ['nothing', '', 'suite.yaml:1:1: expected a map, got null'],
    ['a key twice', 'schema: a\nschema: b\n', 'suite.yaml:2:1: Map keys must be unique'],
    [
      'an unclosed bracket',
      'scenarios: [\n',
      'suite.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ])('that is %s is refused in one sentence', async (_, text, message) => {
    const error = await errorOf(text);
    expect(error).toMatchObject({ code: 'OTEL_EVAL_SUITE', message });
  });

  test('names two scenarios alike only once', async () => {
    const scenario = '  - { name: a, assertions: [ExecutionTraceJoined] }\n';
    expect(await problemsOf(`schema: otel-eval/suite/v1\nscenarios:\n${scenario}${scenario}`)).toEqual([
      'suite.yaml:4:13: two scenarios are named "a" at scenarios[1].name',
    ]);
  });

  test('with two assertions in one item is refused', async () => {
    const text = `schema: otel-eval/suite/v1
scenarios: [{ name: a, assertions: [{ ToolCalled: {}, ToolOrder: {} }] }]
`;
    expect(await problemsOf(text)).toEqual([
      'suite.yaml:2:37: expected one assertion a list item, got ToolCalled and ToolOrder at scenarios[0].assertions[0]',
    ]);
  });

  test('that is YAML under the name of JSON is refused', async () => {
    expect(await errorOf(good, 'loose.json')).toMatchObject({
      code: 'OTEL_EVAL_SUITE',
      message: 'loose.json:1:1: expected JSON, got something looser (YAML ends in .yaml)',
    });
  });

  test('bomb of aliases is refused and not unpacked', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
      .concat('bcdefghij'.split('').map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]}, `.repeat(10)}]`))
      .join('\n');
    expect(await errorOf(bomb)).toMatchObject({
      code: 'OTEL_EVAL_SUITE',
      message: 'suite.yaml:1:1: cannot resolve its aliases',
    });
  });

  test('nested 20,000 levels deep is refused', async () => {
    const error = await errorOf('['.repeat(20_000));
    expect(error).toMatchObject({ code: 'OTEL_EVAL_SUITE' });
  });

  test('module that throws, or exports nothing, is an error of the suite', async () => {
    expect(await errorOf('throw new TypeError("boom");', 'throws.ts')).toMatchObject({
      code: 'OTEL_EVAL_SUITE',
      message: 'throws.ts: cannot be loaded: TypeError: boom',
    });
    expect(await errorOf('export const suite = {};', 'nothing.ts')).toMatchObject({
      code: 'OTEL_EVAL_SUITE',
      message: 'nothing.ts: expected a default export, got none',
    });
  });

  test('that is not there is an error of input and output', async () => {
    await expect(loadSuite('absent.yaml', registry, scratch.path)).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: 'cannot read absent.yaml: no such file',
    });
    await expect(loadSuite('absent.ts', registry, scratch.path)).rejects.toMatchObject({
      code: 'OTEL_EVAL_IO',
      message: 'cannot read absent.ts: no such file',
    });
    await expect(loadSuite('suite.toml', registry, scratch.path)).rejects.toMatchObject({ code: 'OTEL_EVAL_USAGE' });
  });
});
