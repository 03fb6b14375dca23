import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineSuite, evaluate, executionTraceJoined } from '../../src/index.ts';
import type { ProjectionKind, ProjectionRow } from '../../src/verdict/projection/projection-row.ts';
import { projectedStory, rowsOf } from '../assertions/projected-story.ts';
import { otlpOf } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);
const kinds = ['live', 'durable', 'ui'] as const;
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

beforeAll(() => {
  writeFileSync(scratch.file('traces.json'), otlpOf(projectedStory()));
  for (const kind of kinds) writeFileSync(scratch.file(`${kind}.jsonl`), lines(rowsOf(kind)));
  writeFileSync(
    scratch.file('suite.yaml'),
    `schema: otel-eval/suite/v1
traces: { input: traces.json, projections: { live: live.jsonl, durable: [durable.jsonl], ui: ui.jsonl } }
scenarios:
  - name: is the same everywhere
    assertions:
      - ExecutionTraceJoined: { requireProjections: [live, durable, ui] }
`,
  );
});

const run = (args: readonly string[]) => runCli(args, { cwd: scratch.path, columns: 160 });
const flags = (files: Partial<Record<ProjectionKind, string>> = {}) =>
  kinds.flatMap((kind) => ['--projection', `${kind}=${files[kind] ?? `${kind}.jsonl`}`]);
const joins = ['check', '--input', 'traces.json', '--assert', 'ExecutionTraceJoined'];

/** The UI payload with a change, in a file of its own. */
function changed(name: string, change: (rows: ProjectionRow[]) => readonly object[]): string {
  writeFileSync(scratch.file(name), lines(change(rowsOf('ui'))));
  return name;
}

test('projections from the command line, and from the suite', async () => {
  expect((await run([...joins, ...flags()])).code).toBe(0);
  const { code, stdout } = await run(['check', 'suite.yaml', '--json']);
  expect([code, JSON.parse(stdout).scenarios[0].trials[0].status]).toEqual([0, 'passed']);
});

test('without the files that the suite requires: inconclusive', async () => {
  const { code, stdout } = await run(['check', 'suite.yaml', '--projection', 'durable=durable.jsonl']);
  expect(code).toBe(4);
  expect(stdout).toContain('the live stream must be joined and is not given (--projection live=FILE)');
});

test('two turns in one group of the interface: failed, with the command that judges it again', async () => {
  const ui = changed('turns.jsonl', (rows) => rows.map((row, at) => (at === 4 ? { ...row, turn: 'turn-2' } : row)));
  const { code, stdout } = await run([...joins, ...flags({ ui })]);
  expect(code).toBe(1);
  expect(stdout).toContain('execution-trace-joined/ui-group-of-several-turns');
  expect(stdout).toContain('2 turns in the group of event 0, in 1 group more than one');
  expect(stdout).toContain('--projection ui=turns.jsonl');
  expect(stdout).not.toContain('turn-2');
});

describe('what is missing', () => {
  test('an empty file', async () => {
    const { code, stdout } = await run([...joins, ...flags({ ui: changed('empty.jsonl', () => []) })]);
    expect(code).toBe(4);
    expect(stdout).toContain('the UI payload holds no event of this run');
  });

  test('a file that was cut off, at a line and inside of one', async () => {
    const whole = lines(rowsOf('ui'));
    for (const cut of [whole.indexOf('\n', 900) + 1, whole.length - 30]) {
      writeFileSync(scratch.file('cut.jsonl'), whole.slice(0, cut));
      const { code, stdout } = await run([...joins, ...flags({ ui: 'cut.jsonl' })]);
      expect(code).toBe(4);
      expect(stdout).toContain('the UI payload is cut off: no row with totals ends this run');
    }
  });
});

describe('what cannot be read is an error with file, line and field', () => {
  test.each<[string, (rows: ProjectionRow[]) => readonly object[], string]>([
    [
      'a misspelt field',
      (rows) => [{ ...rows[0], evntIndex: 1 }],
      'bad.jsonl:1:1: unknown key "evntIndex"; did you mean "eventIndex"?',
    ],
    ['a column too many', (rows) => [rows[0]!, { ...rows[1], text: 'hello' }], 'bad.jsonl:2:1: unknown key "text"'],
    [
      'no group',
      (rows) => [{ ...rows[0], group: undefined }],
      'bad.jsonl:1:1: expected a string, got nothing at group',
    ],
    ['another kind', () => rowsOf('live'), 'bad.jsonl:1:1: expected "ui", got "live" at kind'],
    [
      'an index that is none',
      (rows) => [{ ...rows[0], eventIndex: '0' }],
      'bad.jsonl:1:1: expected a number, got a string at eventIndex',
    ],
    [
      'an id that is none',
      (rows) => [{ ...rows[0], spanId: 'x' }],
      'bad.jsonl:1:1: expected 16 lower-case hex digits at spanId',
    ],
    [
      'an end without events',
      (rows) => [{ ...rows[9], totals: {} }],
      'bad.jsonl:1:1: expected a number, got nothing at totals.events',
    ],
    ['no object', () => [[1]], 'bad.jsonl:1:1: expected a JSON object, one row of ui'],
  ])('%s', async (_, change, message) => {
    const { code, stderr, stdout } = await run([...joins, ...flags({ ui: changed('bad.jsonl', change) })]);
    expect(`${stdout}${stderr}`).toContain(message);
    expect(`${stdout}${stderr}`).not.toContain('hello');
    expect(code).toBe(2);
  });

  test('a line that is no JSON, with others behind it', async () => {
    writeFileSync(scratch.file('broken.jsonl'), `{"kind":"ui"\n${lines(rowsOf('ui'))}`);
    const { code, stderr } = await run([...joins, ...flags({ ui: 'broken.jsonl' })]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('broken.jsonl:1:1: expected a JSON object')]);
  });

  test('no such file; no such kind; nothing that looks at it', async () => {
    const absent = await run([...joins, ...flags({ ui: 'absent.jsonl' })]);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('absent.jsonl: ENOENT')]);
    const kind = await run([...joins, '--projection', 'screen=ui.jsonl']);
    expect(kind.code).toBe(2);
    expect(kind.stderr).toContain('--projection: expected KIND=FILE, got "screen=ui.jsonl"');
    const idle = await run([
      'check',
      '--input',
      'traces.json',
      '--assert',
      'NotLooping',
      '--projection',
      'ui=ui.jsonl',
    ]);
    expect(idle.code).toBe(2);
    expect(idle.stderr).toContain('no scenario asks for ExecutionTraceJoined');
  });
});

test('where a target is driven, and in evaluate(), files of projections are refused and never passed over', async () => {
  writeFileSync(
    scratch.file('driven.yaml'),
    `schema: otel-eval/suite/v1
target: { command: ["true"] }
traces: { projections: { ui: ui.jsonl } }
scenarios: [{ name: a, steps: [hello], assertions: [ExecutionTraceJoined] }]
`,
  );
  const driven = await run(['run', 'driven.yaml']);
  expect(driven.code).toBe(2);
  expect(driven.stderr).toContain('traces.projections are read where existing traces are judged');
  const suite = defineSuite({
    schema: 'otel-eval/suite/v1',
    traces: { projections: { ui: 'ui.jsonl' } },
    scenarios: [{ name: 'a', assertions: [executionTraceJoined({ requireProjections: ['ui'] })] }],
  });
  await expect(evaluate(suite, [])).rejects.toThrow(
    'evaluate() reads no files, and the suite names traces.projections',
  );
});
