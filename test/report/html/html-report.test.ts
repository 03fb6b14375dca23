import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatHtml } from '../../../src/report/html/format-html.ts';
import { printedRows } from '../../../src/report/html/printed-rows.ts';
import { axisRow, barOf, timeAxisOf } from '../../../src/report/html/time-axis.ts';
import type { Report } from '../../../src/report/report.ts';
import { waterfallOf } from '../../../src/report/waterfall/waterfall-of.ts';
import { WaterfallStore } from '../../../src/report/waterfall/waterfall-store.ts';
import type { JudgedTrial } from '../../../src/suite/judge/judge.ts';
import { runCli, scratchFolder } from '../../cli/run-cli.ts';
import { type SpanSketch, spanId, traceId, viewOf } from '../../view-builder.ts';
import { failedTrial, sampleReport, scenarios } from '../sample-report.ts';
import { longRun, smallRun, writeTraces } from './stories.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

const drawing = { rows: 1_000, guilty: new Set<string>(), deterministic: false, declared: {} };

function drawn(spans: readonly SpanSketch[], options: Partial<typeof drawing> = {}): ReturnType<typeof waterfallOf> {
  const { run, traces } = viewOf(spans);
  return waterfallOf(traces[0]!, run, { ...drawing, ...options });
}

describe('a waterfall', () => {
  test('holds names, times, steps and facts of each span', () => {
    const { rows, spans, completeness } = drawn(smallRun({ status: 'error' }));
    expect([spans, completeness?.state]).toEqual([4, 'settled']);
    expect(rows.map(({ name, step, startMs, durationMs, depth }) => [name, step, startMs, durationMs, depth])).toEqual([
      ['invoke_agent helper', 'agent', 0, 900, 0],
      ['chat toy', 'model', 10, 290, 1],
      ['execute_tool issue_refund', 'tool', 310, 310, 1],
      ['chat toy', 'model', 630, 260, 1],
    ]);
    expect(rows[2]?.notes).toEqual(['ERROR']);
    expect(Object.fromEntries(rows[2]?.facts ?? [])).toEqual({
      parent: spanId('1'),
      kind: 'internal',
      status: 'error',
      service: 'order-support',
      scope: 'test',
      agent: 'helper',
      tool: 'issue_refund',
      outcome: 'failed',
      evidence: 'status',
      attributes: '3',
    });
  });

  test('shows names that are content by their length, wherever they stand', () => {
    const long = `please refund ${'x'.repeat(100)}`;
    const { rows } = drawn([
      {
        id: '1',
        name: long,
        service: long,
        scope: long,
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': long, 'gen_ai.agent.name': long },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('please');
    expect(rows[0]?.name).toBe(`‹name of ${long.length} characters›`);
    expect(
      rows[0]?.facts.filter(([, value]) => value === `‹name of ${long.length} characters›`).map(([name]) => name),
    ).toEqual(expect.arrayContaining(['service', 'scope', 'model']));
  });

  test('tells how far a fault got that was planned for a span', () => {
    const events = ['armed', 'matched', 'delivered'].map((stage) => ({
      name: `otel_eval.fault.${stage}`,
      attributes: { kind: 'timeout', row: 1 },
    }));
    const { rows } = drawn(
      smallRun({ events: [...events, { name: 'otel_eval.fault.armed', attributes: { kind: 'delay' } }] }),
    );
    expect(rows.map(({ faults }) => faults)).toEqual([[], [], ['timeout delivered', 'delay armed'], []]);
  });

  test('without times there is no axis', () => {
    const { rows } = drawn(smallRun(), { deterministic: true });
    expect(rows.some((row) => 'startMs' in row || 'durationMs' in row)).toBe(false);
    expect(timeAxisOf(rows)).toBeUndefined();
  });

  test('bars stand where their spans do, stay inside, and can be seen', () => {
    const row = { traceId: 'a', spanId: 'b', depth: 0, last: true, name: 'x', guilty: false, notes: [] };
    const axis = { startMs: 0, lengthMs: 1_000 };
    const bar = (startMs: number, durationMs: number): string =>
      /x="([^"]+)" width="([^"]+)"/
        .exec(String(barOf({ ...row, startMs, durationMs }, axis)))
        ?.slice(1)
        .join(' ') ?? '';
    expect([bar(250, 500), bar(0, 0), bar(1_000, 0)]).toEqual(['25.00% 50.00%', '0.00% 0.40%', '99.60% 0.40%']);
    expect(barOf(row, axis)).toBeNull();
  });

  test('on paper stand all rows of a short one, and of a long one the guilty with what is around them', () => {
    const rows = drawn(longRun(1_000, 500), { guilty: new Set([spanId('e01f4')]) }).rows;
    const printed = printedRows(rows);
    const at = rows.findIndex(({ guilty }) => guilty);
    expect(printed.size).toBeLessThan(130);
    expect([0, at - 1, at, at + 1].every((each) => printed.has(each))).toBe(true);
    expect(printedRows(rows.slice(0, 100)).size).toBe(100);
  });
});

describe('the store of waterfalls', () => {
  const scenario = { name: 'a scenario' } as JudgedTrial['scenario'];
  const judged = (trace: string, spans: number, status: 'passed' | 'failed'): JudgedTrial => {
    const view = viewOf(longRun(spans, 0).map((span) => ({ ...span, trace })));
    const verdict = { status, examined: spans, findings: [], missing: [], remarks: [] };
    return { scenario, view, outcomes: [{ verdict }] } as unknown as JudgedTrial;
  };

  test('keeps what failed when there is no room for all', () => {
    const store = new WaterfallStore({ deterministic: false, mostRows: 300 });
    const names = Array.from({ length: 8 }, (_, i) => `a${i}`);
    for (const name of names.slice(0, 7)) store.see(judged(name, 50, name === 'a1' ? 'failed' : 'passed'));
    store.see(judged('a7', 50, 'failed'));
    const kept = names.filter((name) => store.of(scenario, { traceIds: [traceId(name)] }).length > 0);
    expect(kept).toContain('a1');
    expect(kept).toContain('a7');
    expect(kept.length).toBe(6);
  });

  test('draws a trace once for all scenarios, but a folded one for each', () => {
    const store = new WaterfallStore({ deterministic: false, longestTrace: 60 });
    const other = { name: 'another' } as JudgedTrial['scenario'];
    const short = judged('b1', 10, 'passed');
    store.see(short);
    store.see({ ...short, scenario: other });
    const of = (name: string, trace: string): unknown => store.of({ name }, { traceIds: [traceId(trace)] })[0];
    expect(of('a scenario', 'b1')).toBe(of('another', 'b1'));
    const long = judged('b2', 100, 'passed');
    store.see(long);
    store.see({ ...long, scenario: other });
    expect(of('a scenario', 'b2')).not.toBe(of('another', 'b2'));
    const [folded] = store.of(scenario, { traceIds: [traceId('b2')] });
    expect(folded?.spans).toBe(100);
    expect(folded?.rows.filter((row) => row.spanId !== null)).toHaveLength(60);
    expect(folded?.rows.some((row) => /^… \d+ more spans?$/.test(row.name))).toBe(true);
  });
});

describe('the HTML report', () => {
  test('of the same report is the same file', () => {
    expect(formatHtml(sampleReport)).toBe(formatHtml(structuredClone(sampleReport)));
  });

  test('what did not pass stands first, and the first of it is open', () => {
    const page = formatHtml(sampleReport);
    const titles = [...page.matchAll(/<summary><h2>.*?<\/span> (.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual(['refunds a paid invoice', 'looks nothing up twice', 'escalates', 'is joined']);
    expect(page.match(/<details class="trial" data-status="(\w+)" id="trial-\d+" open>/g)).toEqual([
      '<details class="trial" data-status="failed" id="trial-1" open>',
    ]);
  });

  test('draws from the report alone what that keeps: the tree of a trial that did not pass', () => {
    const page = formatHtml(sampleReport);
    expect(page.match(/role="treeitem"/g)).toHaveLength(4);
    expect(page).toContain('parent 9a01c2… missing');
    // No start is told in it, so there is no axis.
    expect(page).toContain('class="rows timeless"');
  });

  test('packs, slices, input problems, child and diagnosis are told', () => {
    const bin = { above: null, upTo: 2, runs: 4, passed: 3, lower: 0.3, upper: 0.95 };
    const diagnosis = { likely: 'the trace context is lost', next: 'how it reads traceparent' };
    const report: Report = {
      ...sampleReport,
      childExitCode: 3,
      slices: [
        {
          scenario: 'is joined',
          measure: 'toolCalls',
          bins: [bin, { ...bin, above: 2, upTo: null, runs: 0 }],
          untold: 2,
        },
      ],
      scenarios: [
        {
          ...scenarios[0]!,
          policy: 'at least 90 %',
          planned: 3,
          rate: { passed: 1, of: 2, lower: 0.1, upper: 0.9 },
          trials: [{ ...failedTrial, diagnosis }],
        },
      ],
      error: { code: 'OTEL_EVAL_COMMAND', message: 'the agent ended with exit code 3' },
    };
    const text = formatHtml(report)
      .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    for (const told of [
      'approval not applicable tool approve_refund',
      '≤ 2 3 of 4 75 % (30–95 %)',
      '&gt; 2 3 of 0 no run',
      'not told in 2 runs',
      '1 of 2 passed (10–90 %), 1 not run; wanted: at least 90 %',
      'likely the trace context is lost look at how it reads traceparent',
      'The command under test ended with 3.',
      'OTEL_EVAL_COMMAND the agent ended with exit code 3',
      '1 problem in the input a.json: expected 0 or more (line 1)',
      'Not judged: 1 trace, 2 spans',
    ]) {
      expect(text).toContain(told);
    }
  });

  test('no text leaves its place, whatever it holds', () => {
    const text = '"><script>alert(1)</script></script><!--\u2028 \' onload=x';
    const trial = {
      ...failedTrial,
      evidence: text,
      tree: failedTrial.tree.map((row) => ({ ...row, name: text, notes: [text], spanId: `${row.spanId}${text}` })),
    };
    const page = formatHtml({
      ...sampleReport,
      suite: text,
      scenarios: [{ ...scenarios[0]!, name: text, tags: [text], trials: [trial] }],
    });
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page.match(/<!--/g)).toBeNull();
    const [, data = ''] = /<script type="application\/json">(.*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(data)[0][0]).toBe(`d000000000000001${text}`);
  });
});

describe('on the command line', () => {
  test('check writes it, twice the same where times are left out', async () => {
    writeTraces(scratch.file('t.json'), smallRun({ status: 'error' }));
    const check = [
      'check',
      '--input',
      't.json',
      '--instrumented',
      'test',
      '--assert',
      'ToolSucceeded={"match":{}}',
      '--deterministic',
    ];
    const pages: string[] = [];
    for (const name of ['one.html', 'two.html']) {
      const { code } = await runCli([...check, '--html', name], { cwd: scratch.path });
      expect(code).toBe(1);
      pages.push(readFileSync(scratch.file(name), 'utf8'));
    }
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).toContain('execute_tool issue_refund');
    expect(pages[0]).not.toContain('class="axis"');
  });

  test('the step summary of GitHub is appended to, and annotations follow the report', async () => {
    writeTraces(scratch.file('t.json'), smallRun({ status: 'error' }));
    const check = [
      'check',
      '--input',
      't.json',
      '--instrumented',
      'test',
      '--assert',
      'ToolSucceeded={"match":{}}',
      '--github',
    ];
    const env = { GITHUB_STEP_SUMMARY: scratch.file('step.md') };
    for (let i = 0; i < 2; i++) {
      const { stdout } = await runCli(check, { cwd: scratch.path, env });
      expect(stdout).toMatch(/^::stop-commands::[0-9a-f]{32}\n✗ command line/);
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
        /^::error title=command line%3A tool-succeeded\/failed-calls::/,
      );
    }
    expect(readFileSync(scratch.file('step.md'), 'utf8').match(/^## ✗ otel\\-eval$/gm)).toHaveLength(2);
    const { stdout } = await runCli([...check, '--json'], { cwd: scratch.path });
    expect(JSON.parse(stdout).exitCode).toBe(1);
  });

  test('a file that cannot be written is told before anything is judged', async () => {
    writeTraces(scratch.file('t.json'), smallRun());
    const { code, stdout, stderr } = await runCli(
      ['check', '--input', 't.json', '--assert', 'ExecutionTraceJoined', '--html', 't.json/report.html'],
      { cwd: scratch.path },
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('cannot write t.json/report.html: a part of the path is not a directory');
  });
});

describe('of a run', () => {
  const suite = resolve(import.meta.dirname, '../../../fixtures/suites/flaky/flaky.suite.mjs');

  test('has every trial with its trace; put together from shards, what the reports keep of it', async () => {
    const run = ['run', suite, '--quiet', '--trials', '20'];
    const whole = await runCli([...run, '--html', 'run.html'], { cwd: scratch.path });
    expect(whole.code).toBe(1);
    const page = readFileSync(scratch.file('run.html'), 'utf8');
    const report = JSON.parse((await runCli([...run, '--json'], { cwd: scratch.path })).stdout);
    const trials = report.scenarios.flatMap((scenario: { trials: unknown[] }) => scenario.trials);
    expect(page.match(/<details class="trial"/g)).toHaveLength(trials.length);
    expect(page.match(/class="waterfall"/g)).toHaveLength(trials.length);
    for (const shard of ['1/2', '2/2']) {
      const json = `shard-${shard[0]}.json`;
      await runCli([...run, '--shard', shard, '--json', json], { cwd: scratch.path });
    }
    const merged = await runCli(['merge', 'shard-1.json', 'shard-2.json', '--html', 'merged.html', '--quiet'], {
      cwd: scratch.path,
    });
    expect(merged.code).toBe(whole.code);
    const together = readFileSync(scratch.file('merged.html'), 'utf8');
    const failing = trials.filter((trial: { status: string }) => trial.status !== 'passed');
    expect(failing.length).toBeGreaterThan(0);
    expect(together.match(/<details class="trial"/g)).toHaveLength(trials.length);
    expect(together.match(/class="waterfall"/g)).toHaveLength(failing.length);
    // With the times that the tree of a report holds: an axis for each.
    expect(together.match(/class="axis"/g)).toHaveLength(failing.length);
  });

  test('the configuration may name it', async () => {
    writeTraces(scratch.file('t.json'), smallRun());
    writeFileSync(scratch.file('otel-eval.config.yaml'), 'html: by-config.html\nmarkdown: by-config.md\n');
    const result = await runCli(['check', '--input', 't.json', '--assert', 'ExecutionTraceJoined', '--quiet'], {
      cwd: scratch.path,
    });
    rmSync(scratch.file('otel-eval.config.yaml'));
    expect(result.code).toBe(0);
    expect(readFileSync(scratch.file('by-config.html'), 'utf8')).toContain('passed · otel-eval');
    expect(readFileSync(scratch.file('by-config.md'), 'utf8')).toMatch(/^## ✓ otel\\-eval\n/);
  });
});

test('the ticks of an axis have one unit', () => {
  const ticks = (lengthMs: number): string[] =>
    [...String(axisRow({ startMs: 0, lengthMs })).matchAll(/<span>(.*?)<\/span>/g)].map(([, text = '']) => text);
  expect(ticks(30)).toEqual(['0', '7.5 ms', '15 ms', '22.5 ms', '30 ms']);
  expect(ticks(50_020)).toEqual(['0', '12.5 s', '25 s', '37.5 s', '50 s']);
  expect(ticks(0.5)).toEqual(['0', '125 µs', '250 µs', '375 µs', '500 µs']);
  expect(ticks(9_000_000).at(-1)).toBe('9000 s');
});
