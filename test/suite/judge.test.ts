import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { evaluate } from '../../src/evaluate.ts';
import { defineAssertion } from '../../src/suite/define-assertion.ts';
import { defineSuite } from '../../src/suite/define-suite.ts';
import type { SuiteDocument } from '../../src/suite/suite-document.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import type { SourceFacts } from '../../src/trace/completeness.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import type { Collector } from '../../src/trace/trace-set.ts';
import { conclude } from '../../src/verdict/conclude.ts';
import { otlpOf, type SpanSketch, traceId } from '../view-builder.ts';

/** A collector that yields each trace by itself, in the order given. */
function collectorOf(spans: readonly SpanSketch[], facts: Partial<SourceFacts> = {}): Collector {
  const { spans: rows } = decodeOtlpJson(otlpOf(spans));
  const all: SourceFacts = { remote: false, ended: true, quiet: true, cut: false, losses: [], ...facts };
  const traces = [...buildTraces(rows, []).values()];
  return {
    collect: async () => ({
      source: { kind: all.remote ? 'tempo' : 'file', address: 'test' },
      async *groups() {
        for (const trace of traces) yield [{ trace, facts: all, completeness: completenessOf(trace, all) }];
      },
      inputs: () => [],
      looseLogs: () => [],
    }),
    close: async () => {},
  };
}

const agent = (trace: string, start: number, more: Partial<SpanSketch> = {}): SpanSketch => ({
  id: '1',
  trace,
  start,
  name: 'invoke_agent helper',
  ...more,
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper', ...more.attributes },
});
const plain = (trace: string, start: number, attributes = {}): SpanSketch => ({ id: '1', trace, start, attributes });

const joined: SuiteDocument = defineSuite({ scenarios: [{ name: 'joined', assertions: ['ExecutionTraceJoined'] }] });
const withScenario = (scenario: object): SuiteDocument =>
  defineSuite({ scenarios: [{ name: 'it', assertions: ['ExecutionTraceJoined'], ...scenario }] });

describe('a scenario judges', () => {
  test('each run as a trial, in order of start, in whatever order they came', async () => {
    const report = await evaluate(joined, collectorOf([agent('b2', 500), agent('c3', 900), agent('a1', 100)]));
    expect(report.scenarios[0]?.trials.map(({ index, traceIds }) => [index, ...traceIds])).toEqual([
      [1, traceId('a1')],
      [2, traceId('b2')],
      [3, traceId('c3')],
    ]);
  });

  test.each([
    ['service', { service: 'billing' }, ['b2']],
    ['agent', { agent: 'planner' }, ['c3']],
    ['run id', { runId: 'run-7' }, ['b2']],
    ['conversation', { conversationId: 'talk-1' }, ['c3']],
    ['trace id, in any case', { traceId: traceId('a1').toUpperCase() }, ['a1']],
    ['a span', { span: { step: 'agent', service: 'billing' } }, ['b2']],
    ['a span that no run has', { span: { name: 'chat' } }, []],
    ['all of it together', { service: 'billing', agent: 'planner' }, []],
    ['nothing in particular', {}, ['a1', 'b2', 'c3']],
  ])('only runs that it selects by %s', async (_, select, expected) => {
    const spans = [
      agent('a1', 100),
      agent('b2', 200, { service: 'billing', attributes: { 'otel_eval.run.id': 'run-7' } }),
      agent('c3', 300, { attributes: { 'gen_ai.agent.name': 'planner', 'gen_ai.conversation.id': 'talk-1' } }),
    ];
    const report = await evaluate(withScenario({ select }), collectorOf(spans));
    expect(report.scenarios[0]?.trials.flatMap(({ traceIds }) => traceIds)).toEqual(expected.map(traceId));
    expect(report.source.unselected.traces).toBe(3 - expected.length);
    expect(report.status).toBe(expected.length === 0 ? 'inconclusive' : 'passed');
  });

  test('traces that nothing tells apart as one run, that cannot be joined', async () => {
    const report = await evaluate(joined, collectorOf([plain('a1', 0), plain('b2', 50)]));
    expect(report.scenarios[0]?.trials).toHaveLength(1);
    expect(report.scenarios[0]?.trials[0]).toMatchObject({
      status: 'failed',
      traceIds: [traceId('a1'), traceId('b2')],
    });
  });

  test('traces of one conversation as one run where it says so', async () => {
    const spans = ['a1', 'b2', 'c3'].map((trace, i) =>
      agent(trace, i * 100, { attributes: { 'gen_ai.conversation.id': trace === 'c3' ? 'talk-2' : 'talk-1' } }),
    );
    const report = await evaluate(withScenario({ runBy: 'conversation' }), collectorOf(spans));
    expect(report.scenarios[0]?.trials.map(({ traceIds }) => traceIds.length)).toEqual([2, 1]);
    expect((await evaluate(joined, collectorOf(spans))).scenarios[0]?.trials).toHaveLength(3);
  });

  test('differently told apart beside each other', async () => {
    const suite = defineSuite({
      scenarios: [
        { name: 'each', assertions: ['ExecutionTraceJoined'] },
        { name: 'all', oneRun: true, assertions: ['ExecutionTraceJoined'] },
      ],
    });
    const report = await evaluate(suite, collectorOf([agent('a1', 0), agent('b2', 50)]));
    expect(report.scenarios.map(({ trials, status }) => [trials.length, status])).toEqual([
      [2, 'passed'],
      [1, 'failed'],
    ]);
    expect(report.source).toMatchObject({ fetched: { traces: 2, spans: 2 }, unselected: { traces: 0, spans: 0 } });
  });

  test('with a remote parent and services as it declares', async () => {
    const called = [agent('a1', 0, { parent: 'f' })];
    expect((await evaluate(joined, collectorOf(called))).status).toBe('failed');
    expect((await evaluate(withScenario({ root: 'remote' }), collectorOf(called))).status).toBe('passed');
    const lacking = await evaluate(
      withScenario({ services: ['order-support', 'payments'] }),
      collectorOf([agent('a1', 0)]),
    );
    expect(lacking.scenarios[0]?.trials[0]?.evidence).toContain('payments');
  });

  test('with a parent that it declares as absent, in what is read, judged and shown', async () => {
    const died = [agent('a1', 0, { parent: 'f' }), { id: '2', trace: 'a1', parent: 'f', name: 'step', start: 20 }];
    const names = ['invoke_agent helper', 'step'];
    const whole = withScenario({ absentParentOf: names });
    const lost = (await evaluate(joined, collectorOf(died))).scenarios[0]?.trials[0];
    expect(lost?.status).toBe('failed');
    expect(lost?.tree.map(({ notes }) => notes)).toEqual([['parent d0d0d0… missing'], ['parent d0d0d0… missing']]);
    const declared = (await evaluate(whole, collectorOf(died))).scenarios[0]?.trials[0];
    expect([declared?.status, declared?.assertions[0]?.remarks]).toEqual([
      'passed',
      ['decided although the parent of 2 spans is absent, as the suite declares'],
    ]);
    const budget = { WithinBudget: { spans: { max: 1, source: 'a test' } } };
    const red = withScenario({ absentParentOf: names, assertions: [budget] });
    const tree = (await evaluate(red, collectorOf(died))).scenarios[0]?.trials[0]?.tree ?? [];
    expect(tree.map(({ name, notes }) => [name, notes])).toEqual([
      ['invoke_agent helper', []],
      ['step', []],
    ]);
  });

  test('what has settled on a remote source only where that is accepted, and the report says so', async () => {
    const spans = [agent('a1', 0)];
    const bounded = withScenario({ assertions: [{ WithinBudget: { spans: { max: 5, source: 'a test' } } }] });
    const strict = await evaluate(bounded, collectorOf(spans, { remote: true, ended: false }));
    expect(strict).toMatchObject({
      status: 'inconclusive',
      source: { accepted: 'proven', completeness: { settled: 1 } },
    });
    const loose = await evaluate(bounded, collectorOf(spans, { remote: true, ended: false }), {
      completeness: 'settled',
    });
    expect(loose).toMatchObject({ status: 'passed', source: { accepted: 'settled' } });
    expect(loose.scenarios[0]?.trials[0]?.assertions[0]?.remarks.join()).toContain('--completeness settled');
  });
});

describe('an assertion of one’s own', () => {
  const findings = { 'too-many': { expected: () => 'fewer', observed: () => 'more' } };
  const parameters = z.strictObject({ most: z.int() });
  const base = { summary: 'A test.', needs: 'nothing', parameters, findings };

  test('is judged, with parameters that its schema accepts', async () => {
    const fewSpans = defineAssertion({
      ...base,
      id: 'FewSpans',
      evaluate: (view, { most }) => conclude({ examined: view.traces.length, ...(most > 0 ? {} : { missing: [] }) }),
    });
    const suite = withScenario({ assertions: [fewSpans({ most: 3 })] });
    expect((await evaluate(suite, collectorOf([agent('a1', 0)]))).scenarios[0]?.trials[0]?.assertions).toMatchObject([
      { name: 'FewSpans', passed: true, status: 'passed', examined: 1 },
    ]);
    const wrong = withScenario({ assertions: [fewSpans({ most: 'three' as never })] });
    await expect(evaluate(wrong, collectorOf([]))).rejects.toMatchObject({
      code: 'OTEL_EVAL_SUITE',
      message: 'suite: expected a number, got a string at scenarios[0].assertions[0].FewSpans.most',
    });
  });

  test('that throws is an error, and never quotes what it choked on', async () => {
    const broken = defineAssertion({
      ...base,
      id: 'Broken',
      evaluate: () => {
        throw new TypeError('cannot read "secret words" of the user');
      },
    });
    const report = await evaluate(withScenario({ assertions: [broken({ most: 1 })] }), collectorOf([agent('a1', 0)]));
    expect(report).toMatchObject({ status: 'error', exitCode: 2 });
    expect(report.scenarios[0]?.trials[0]?.assertions[0]).toMatchObject({
      passed: false,
      status: 'error',
      missing: [{ message: 'Broken ended in TypeError: a fault in the assertion, not in the run; see --debug' }],
    });
    expect(JSON.stringify(report)).not.toContain('secret words');
  });

  test('that passes on nothing is inconclusive', async () => {
    const empty = defineAssertion({
      ...base,
      id: 'Empty',
      evaluate: () => ({ status: 'passed', examined: 0, findings: [], missing: [], remarks: [] }),
    });
    const report = await evaluate(withScenario({ assertions: [empty({ most: 1 })] }), collectorOf([agent('a1', 0)]));
    expect(report.scenarios[0]?.trials[0]?.assertions[0]).toMatchObject({
      status: 'inconclusive',
      missing: [{ kind: 'nothing-examined' }],
    });
  });
});

test('memory stays bounded: nothing is kept of the runs that were judged', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const facts: SourceFacts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };
  const traces: WeakRef<object>[] = [];
  let mostAlive = 0;
  const collector: Collector = {
    collect: async () => ({
      source: { kind: 'file', address: 'test' },
      async *groups() {
        for (let i = 1; i <= 200; i++) {
          const { spans } = decodeOtlpJson(otlpOf([agent(i.toString(16).padStart(2, '0'), i)]));
          for (const trace of buildTraces(spans, []).values()) {
            traces.push(new WeakRef(trace));
            yield [{ trace, facts, completeness: completenessOf(trace, facts) }];
          }
          if (i % 50 !== 0) continue;
          await new Promise((resolve) => setImmediate(resolve));
          collectGarbage();
          mostAlive = Math.max(mostAlive, traces.filter((each) => each.deref() !== undefined).length);
        }
      },
      inputs: () => [],
      looseLogs: () => [],
    }),
    close: async () => {},
  };
  const report = await evaluate(joined, collector);
  expect(report.scenarios[0]?.trials).toHaveLength(200);
  expect(mostAlive).toBeLessThan(20);
});
