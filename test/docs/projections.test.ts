import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryCollector } from '../../collectors/memory.ts';
import type { EventPlace } from '../../src/instrument/event-place.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import { eventRowSchemas } from '../../src/verdict/projection/projection-row.ts';
import { runCli, scratchFolder } from '../cli/run-cli.ts';

// As users have it: the built package, by its name. So the compiler need not have it built.
const byName = async <Exports>(name: string): Promise<Exports> => (await import(name)) as Exports;
type Instrument = typeof import('../../src/instrument/index.ts');
type Tell = (event: string, place: EventPlace | undefined, usage?: object) => void;
const { agentSpanProcessor, textDelta } = await byName<Instrument>('otel-eval/instrument');
const { answer } = await byName<{ answer(message: string, conversationId: string, tell: Tell): Promise<string> }>(
  '../../fixtures/projections/streaming-agent.ts',
);
const { projections } = await byName<{ projections(turn: string): { tell: Tell; end(): Rows } }>(
  '../../fixtures/projections/projections.ts',
);

const root = resolve(import.meta.dirname, '../..');
const path = join(root, 'docs/projections.md');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const block = /<!-- file: (\S+) -->\n```(\w+)\n([\s\S]*?)```/g;
if (process.env['UPDATE_README']) {
  const filled = readFileSync(path, 'utf8').replace(
    block,
    (_, file, language) => `<!-- file: ${file} -->\n\`\`\`${language}\n${read(file)}\`\`\``,
  );
  writeFileSync(path, filled);
}
const page = readFileSync(path, 'utf8');

describe('docs/projections.md', () => {
  test.each([...page.matchAll(block)].map(([, file = '', , text = '']) => ({ file, text })))(
    '$file stands there as it is',
    ({ file, text }) => {
      expect(text, 'UPDATE_README=1 npx vitest run test/docs fills it in').toBe(read(file));
    },
  );

  test('every field of a row is in the table, every link leads somewhere', () => {
    const { shape } = eventRowSchemas.ui as unknown as { shape: Record<string, unknown> };
    expect(Object.keys(shape).filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(resolve(dirname(path), link)))).toEqual([]);
  });
});

interface Row {
  [field: string]: unknown;
}
type Rows = Record<'live' | 'durable' | 'ui', Row[]>;

interface Recorded {
  readonly traces: string;
  readonly rows: Rows;
}

const scratch = scratchFolder();
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => {
  scratch.remove();
  context.disable();
  trace.disable();
});

/** One run of the agent of the page under the real SDK, behind our processor: its spans, and what it wrote of itself. */
async function recorded(turn: string, more: (tell: Tell) => void = () => {}): Promise<Recorded> {
  const memory = memoryCollector();
  const provider = new BasicTracerProvider({
    spanProcessors: [agentSpanProcessor({ next: memory.processor as never })],
  });
  trace.disable();
  trace.setGlobalTracerProvider(provider);
  const { tell, end } = projections(turn);
  const told: Tell = (event, place, usage) => {
    tell(event, place, usage);
    if (event === 'tool') more(tell);
  };
  expect(await answer('Please refund my order.', 'conversation-1', told)).toBe('Your refund is on its way.');
  for await (const [collected] of (await memory.collect()).groups()) {
    return { traces: encodeOtlpJson(collected?.trace.spans ?? []), rows: end() };
  }
  throw new Error('no trace was collected');
}

async function judged({ traces, rows }: Recorded, args: readonly string[] = ['suite.yaml']) {
  writeFileSync(scratch.file('suite.yaml'), read('fixtures/projections/suite.yaml'));
  writeFileSync(scratch.file('traces.jsonl'), `${traces}\n`);
  for (const [kind, list] of Object.entries(rows)) writeFileSync(scratch.file(`${kind}.jsonl`), lines(list));
  const { code, stdout } = await runCli(['check', ...args, '--json'], { cwd: scratch.path });
  const [trial] = JSON.parse(stdout).scenarios[0].trials;
  const findings = trial.assertions[0].findings.map(({ code: each }: { code: string }) => each.split('/')[1]);
  const missing = trial.assertions[0].missing.map(({ message }: { message: string }) => message);
  return { code, findings, missing, stdout };
}

describe('a real agent, what it streamed, stored and showed, and its spans', () => {
  test('are joined, as the page says it', async () => {
    const run = await recorded('turn-1');
    expect(run.rows.live.map(({ event, eventIndex }) => [event, eventIndex])).toEqual([
      ['run', 0],
      ['model', 1],
      ['tool', 2],
      ['model', 3],
      ['text_delta', 4],
      ['text_delta', 5],
      ['text_delta', 6],
      [undefined, undefined],
    ]);
    expect(await judged(run)).toMatchObject({ code: 0, findings: [], missing: [] });
    const commands = [...page.matchAll(/^otel-eval check (.*)$/gm)].map(([, line = '']) => line.split(' '));
    expect(commands.length).toBe(2);
    for (const args of commands) expect((await judged(run, args)).code).toBe(0);
  });

  const mutations: readonly [string, (run: Recorded) => Recorded, readonly string[]][] = [
    [
      'R2-90: an orphan span of the same run',
      (run) => ({ ...run, traces: reparented(run.traces, 'execute_tool issue_refund') }),
      ['not-a-direct-child', 'orphan-span'],
    ],
    [
      'R2-90: two turns in one group',
      (run) => ({ ...run, rows: { ...run.rows, ui: at(run.rows.ui, 3, { turn: 'turn-2' }) } }),
      ['ui-group-of-several-turns'],
    ],
    [
      'R2-90: a total that the stored rows do not add up to',
      (run) => ({
        ...run,
        rows: { ...run.rows, ui: at(run.rows.ui, 7, { totals: { events: 7, modelCalls: 2, toolCalls: 2 } }) },
      }),
      ['total-differs'],
    ],
    [
      'R2-88: a stored row of another run',
      (run) => ({ ...run, rows: { ...run.rows, durable: at(run.rows.durable, 2, { runId: 'run-2' }) } }),
      [
        'total-differs',
        'total-differs',
        'total-differs',
        'total-differs',
        'total-differs',
        'total-differs',
        'projection-run-id-differs',
        'projection-event-missing',
      ],
    ],
    [
      'R2-88: another conversation in the stream',
      (run) => ({
        ...run,
        rows: { ...run.rows, live: run.rows.live.map((row) => ({ ...row, conversationId: 'conversation-2' })) },
      }),
      ['projection-conversation-id-differs'],
    ],
    [
      'R2-88: events in another order',
      (run) => ({ ...run, rows: { ...run.rows, ui: swapped(run.rows.ui, 1, 2) } }),
      ['projection-out-of-order'],
    ],
    [
      'R2-89: a text delta that is told as a span',
      (run) => ({
        ...run,
        rows: { live: delta(run.rows.live), durable: delta(run.rows.durable), ui: delta(run.rows.ui) },
      }),
      [
        'total-differs',
        'total-differs',
        'total-differs',
        'text-delta-is-span',
        'text-delta-is-span',
        'text-delta-is-span',
      ],
    ],
  ];
  test.each(mutations)('%s', async (_, mutate, findings) => {
    const { code, findings: found } = await judged(mutate(await recorded('turn-1')));
    expect([code, found]).toEqual([1, findings]);
  });

  test('more text deltas than the SDK keeps: not decided, and the limit is named', async () => {
    const run = await recorded('turn-1', (tell) => {
      for (let n = 0; n < 200; n++) tell('text_delta', textDelta());
    });
    const { code, findings, missing } = await judged(run);
    expect([code, findings]).toEqual([4, []]);
    expect(missing).toEqual(
      ['the live stream', 'the durable rows', 'the UI payload'].map(
        (projection) =>
          `75 text deltas of ${projection} cannot be looked for: the SDK dropped events of "invoke_agent support"; raise its limit of events on a span (OTEL_SPAN_EVENT_COUNT_LIMIT)`,
      ),
    );
  });
});

/** JSON lines. */
const lines = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const at = (rows: readonly Row[], place: number, change: Row): Row[] =>
  rows.map((row, index) => (index === place ? { ...row, ...change } : row));
const swapped = (rows: readonly Row[], one: number, other: number): Row[] =>
  rows.map((row, index) => (index === one ? rows[other]! : index === other ? rows[one]! : row));
/** The tool call, told as streamed text. */
const delta = (rows: readonly Row[]): Row[] => at(rows, 2, { event: 'text_delta' });

/** The span of this name below a parent that nobody has. */
function reparented(otlp: string, name: string): string {
  const document = JSON.parse(otlp);
  for (const { scopeSpans } of document.resourceSpans) {
    for (const { spans } of scopeSpans) {
      for (const span of spans) if (span.name === name) span.parentSpanId = 'ffffffffffffffff';
    }
  }
  return JSON.stringify(document);
}
