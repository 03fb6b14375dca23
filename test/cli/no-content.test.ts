import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { otlpOf, type SpanSketch } from '../view-builder.ts';
import { runCli, scratchFolder } from './run-cli.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

// What no report may ever hold, wherever it stood in the trace.
const sentinel = 'SENTINEL-3f9c';
const long = `please refund ${'x'.repeat(80)} ${sentinel}`;
const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const places: Record<string, (spans: SpanSketch[]) => void> = {
  'a long span name': (spans) => {
    spans[1]!.name = long;
  },
  'a span name of two lines': (spans) => {
    spans[0]!.name = `run\n${sentinel}`;
  },
  'input messages': (spans) => {
    spans[1]!.attributes!['gen_ai.input.messages'] = message('user', sentinel);
  },
  'output messages': (spans) => {
    spans[1]!.attributes!['gen_ai.output.messages'] = message('assistant', sentinel);
  },
  'tool arguments': (spans) => {
    spans[2]!.attributes!['gen_ai.tool.call.arguments'] = JSON.stringify({ order_id: sentinel });
  },
  'a tool result': (spans) => {
    spans[2]!.attributes!['gen_ai.tool.call.result'] = JSON.stringify({ error: sentinel });
  },
  'an exception': (spans) => {
    spans[2]!.events = [
      { name: 'exception', attributes: { 'exception.message': sentinel, 'exception.stacktrace': sentinel } },
    ];
  },
  'system instructions': (spans) => {
    spans[0]!.attributes!['gen_ai.system_instructions'] = sentinel;
  },
  'an attribute that nobody knows': (spans) => {
    spans[0]!.attributes!['app.note'] = sentinel;
  },
  'a long run id': (spans) => {
    for (const span of spans) span.attributes!['otel_eval.run.id'] = long;
  },
  'a long conversation id': (spans) => {
    for (const span of spans) span.attributes!['gen_ai.conversation.id'] = long;
  },
  'a long agent name': (spans) => {
    spans[0]!.attributes!['gen_ai.agent.name'] = long;
  },
  'a long tool name': (spans) => {
    spans[2]!.attributes!['gen_ai.tool.name'] = long;
  },
  'a long model name': (spans) => {
    spans[1]!.attributes!['gen_ai.request.model'] = long;
  },
  'a long service name': (spans) => {
    spans[0]!.service = long;
  },
  'a long scope name': (spans) => {
    spans[0]!.scope = long;
  },
  'a long call id': (spans) => {
    spans[2]!.attributes!['gen_ai.tool.call.id'] = long;
  },
  'an error type': (spans) => {
    spans[2]!.attributes!['error.type'] = long;
  },
};

const story = (): SpanSketch[] => [
  {
    id: '1',
    name: 'invoke_agent helper',
    end: 90,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
  },
  {
    id: '2',
    parent: '1',
    name: 'chat toy',
    start: 1,
    end: 20,
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'toy' },
  },
  {
    id: '3',
    parent: 'f',
    name: 'execute_tool refund',
    start: 30,
    end: 50,
    status: 'error',
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'refund' },
  },
];

// Every assertion, with parameters that a helpful message would love to explain.
const parameters: Record<string, unknown> = {
  ToolCalled: { match: { tool: 'issue_refund', arguments: { order_id: 'ORD-1' } }, expect: { exactly: 1 } },
  ToolSucceeded: { match: {} },
  ToolOrder: { tools: ['a', 'b'], mode: 'inOrder' },
  SpansMatch: { match: { name: { startsWith: 'execute_tool' } }, expect: { every: { status: 'ok' } } },
  WithinBudget: { spans: { max: 1, source: 'a test' }, toolAttempts: { max: 0, source: 'a test' } },
};
const flags = assertions.flatMap(({ id, parameters: schema }) => {
  const given = parameters[id] ?? {};
  return schema.safeParse(given).success ? ['--assert', `${id}=${JSON.stringify(given)}`] : [];
});

test('no report and no view holds content, wherever it stands in the trace', async () => {
  expect(flags.length).toBeGreaterThan(8);
  const some = fc.uniqueArray(fc.constantFrom(...Object.keys(places)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(some, async (names) => {
      const spans = story();
      for (const name of names) places[name]?.(spans);
      writeFileSync(scratch.file('t.json'), otlpOf(spans));
      const input = ['--input', 't.json'];
      const files = ['--json', 'r.json', '--junit', 'r.xml', '--html', 'r.html', '--markdown', 'r.md'];
      const checked = await runCli(['check', ...input, ...flags, ...files, '--github'], { cwd: scratch.path });
      expect([1, 4]).toContain(checked.code);
      const said = [
        checked.stdout,
        checked.stderr,
        ...['r.json', 'r.xml', 'r.html', 'r.md'].map((name) => readFileSync(scratch.file(name), 'utf8')),
      ];
      for (const form of ['run', 'tree', 'table', 'json']) {
        said.push((await runCli(['show', ...input, '--as', form], { cwd: scratch.path })).stdout);
      }
      for (const id of ['d0d0d0d0d0d0d0d1', 'd0d0d0d0d0d0d0d2', 'd0d0d0d0d0d0d0d3']) {
        const explained = await runCli(['explain', id, ...input], { cwd: scratch.path });
        expect(explained.code).toBe(0);
        said.push(explained.stdout);
      }
      expect(said.map((text) => text.includes(sentinel))).toEqual(said.map(() => false));
    }),
    { numRuns: 30 },
  );
});

test('each place alone keeps its content out too', async () => {
  for (const [name, put] of Object.entries(places)) {
    const spans = story();
    put(spans);
    writeFileSync(scratch.file('t.json'), otlpOf(spans));
    const checked = await runCli(['check', '--input', 't.json', ...flags, '--json'], { cwd: scratch.path });
    expect(`${name}: ${checked.stdout.includes(sentinel)}`).toBe(`${name}: false`);
    expect(JSON.parse(checked.stdout).scenarios[0].trials).toHaveLength(1);
  }
});
