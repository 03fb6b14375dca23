import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { assertions } from '../../assertions/index.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { readRuns } from '../../src/agent/run-reader.ts';
import { viewOfRun } from '../../src/agent/view.ts';
import { evaluateAssertion } from '../../src/suite/judge/evaluate-assertion.ts';
import { buildTrace } from '../../src/trace/build-trace.ts';
import { canonicalJson } from '../../src/trace/canonical-json.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import type { CollectedTrace, SourceKind } from '../../src/trace/trace-set.ts';
import { sharedCases, withoutSharedCases } from '../shared-cases.ts';
import { jaegerAgainst, tempoAgainst } from './polling-run.ts';
import { readAll } from './read-all.ts';
import { type RecordedAnswer, recordedAnswers, type ServerForm, serverForms, serving } from './recorded-answers.ts';
import { sdkSpanOf } from './sdk-span-of.ts';

// Law 2: the same run gives the same verdict from every source, or an inconclusive one with a named loss.

const digest = (value: unknown) =>
  `hmac-sha256:${createHmac('sha256', 'k').update(canonicalJson(value)).digest('hex')}`;

/** What a reader makes of the runs in one trace. */
function reading(collected: CollectedTrace): unknown {
  return readRuns([collected]).map((run) => viewOfRun(run, digest));
}

const tools = ['lookup_order', 'issue_refund', 'no_such_tool'];

const rules: readonly (readonly [string, unknown])[] = [
  ['ExecutionTraceJoined', {}],
  ['NoHumanInput', {}],
  ['SpansMatch', { match: { status: 'error' }, expect: { none: {} } }],
  ['WithinBudget', { toolAttempts: { max: 2, source: 'test' } }],
  ...tools.flatMap((tool): [string, unknown][] => [
    ['ToolCalled', { match: { tool }, expect: { atLeast: 1 } }],
    ['ToolCalled', { match: { tool }, expect: { exactly: 1 } }],
    ['ToolCalled', { match: { tool }, expect: { atMost: 1 } }],
    ['ToolCalled', { match: { tool, arguments: { order_id: 'ORD-1001' } }, expect: { atLeast: 1 } }],
    ['ToolSucceeded', { match: { tool } }],
    ['ToolSucceeded', { match: { tool }, evidence: 'status' }],
    ['ToolSucceeded', { match: { tool }, expect: { attempts: 'last' } }],
  ]),
];

const uses = rules.map(([name, parameters]) => {
  const assertion = assertions.find(({ id }) => id === name);
  if (assertion === undefined) throw new Error(`no assertion ${name}`);
  const label = `${name} ${JSON.stringify(parameters)}`;
  return { label, use: { assertion, parameters: assertion.parameters.parse(parameters) } };
});

/** Status of each rule on each run of the trace. */
function verdicts(collected: CollectedTrace, kind: SourceKind): string[] {
  return readRuns([collected]).flatMap((run) =>
    uses.map(({ label, use }) => {
      const view = {
        run,
        traces: [collected],
        source: { kind, acceptsSettled: true, beforeDeadline: false },
        remoteRoot: false,
        digest,
        unselected: [],
      };
      return `${label} ${evaluateAssertion(use, view).verdict?.status ?? 'accident'}`;
    }),
  );
}

interface Expected {
  readonly reading: unknown;
  readonly verdicts: string[];
  /** A tool span, and the verdicts when it is lost. */
  readonly loses: string | undefined;
  readonly fewer: string[];
}

const expectations = new Map<CollectedTrace, Expected>();

function expectedOf(sent: CollectedTrace): Expected {
  const known = expectations.get(sent);
  if (known !== undefined) return known;
  const loses = sent.trace.spans.find(
    (span) => span.attributes.get('gen_ai.operation.name') === 'execute_tool',
  )?.spanId;
  const made = {
    reading: reading(sent),
    verdicts: verdicts(sent, 'file'),
    loses,
    fewer: loses === undefined ? [] : verdicts(without(sent, loses), 'file'),
  };
  expectations.set(sent, made);
  return made;
}

/** The same trace without one of its spans. */
function without(collected: CollectedTrace, spanId: string): CollectedTrace {
  const { trace, facts } = collected;
  const fewer = buildTrace(
    trace.traceId,
    trace.spans.filter((span) => span.spanId !== spanId),
    trace.logs,
  );
  return { trace: fewer, facts, completeness: completenessOf(fewer, facts) };
}

const isFlip = (a: string, b: string) => a !== b && !a.endsWith('inconclusive') && !b.endsWith('inconclusive');

/** Losses by which a reading may differ: the words themselves are cut off. Other losses change no reading. */
const cutsContent = ({ facts }: CollectedTrace) => facts.losses.some((loss) => loss.includes('cut at 2048 bytes'));

/** A trace that hangs apart is so for good only where its source has ended; on a server more may come. */
const mayBeUndecided = ({ completeness }: CollectedTrace) => completeness.state === 'broken';

function compare({ story, form, sent }: RecordedAnswer, got: CollectedTrace, kind: SourceKind): void {
  const where = `${story} from ${form}`;
  const expected = expectedOf(sent);
  const after = verdicts(got, kind);
  expect([where, got.trace.spans.length]).toEqual([where, sent.trace.spans.length]);
  expect([where, flips(expected.verdicts, after)]).toEqual([where, []]);
  if (!cutsContent(got)) {
    expect([where, reading(got)]).toEqual([where, expected.reading]);
    const equal = after.map((verdict, i) =>
      mayBeUndecided(got) && verdict.endsWith(' inconclusive') ? (expected.verdicts[i] ?? '') : verdict,
    );
    expect([where, equal]).toEqual([where, expected.verdicts]);
  }
  if (expected.loses === undefined) return;
  expect([where, flips(expected.fewer, verdicts(without(got, expected.loses), kind))]).toEqual([where, []]);
}

function flips(before: readonly string[], after: readonly string[]): string[] {
  return before.filter((verdict, i) => isFlip(verdict, after[i] ?? ''));
}

if (sharedCases === undefined) test.skip(`the same run from every source: ${withoutSharedCases}`, () => {});
else {
  const cases = sharedCases;
  let answers: RecordedAnswer[] = [];

  beforeAll(async () => {
    answers = await recordedAnswers(cases);
  });

  describe('the same run gives the same reading and verdicts', () => {
    test('every recorded answer has its capture', () => {
      const counts = serverForms.map((form) => [form, answers.filter((answer) => answer.form === form).length]);
      expect(Object.fromEntries(counts)).toEqual({
        'jaeger-v1.json': 45,
        'jaeger-v3.json': 67,
        'tempo-quick.json': 25,
        'tempo-quick.pb': 171,
        'tempo-stock.pb': 70,
      });
      expect(answers.length).toBe(378);
    });

    test.each(serverForms)('from %s over HTTP', async (form: ServerForm) => {
      const ours = answers.filter((answer) => answer.form === form);
      const against = form.startsWith('jaeger') ? jaegerAgainst : tempoAgainst;
      const traceIds = ours.map(({ sent }) => sent.trace.traceId);
      const { traces, failure } = await against(serving(ours), { traceIds, settleMs: 0, deadlineMs: 3_000 });
      expect(failure).toBeUndefined();
      const byId = new Map(traces.map((each) => [each.trace.traceId, each]));
      for (const answer of ours) {
        const got = byId.get(answer.sent.trace.traceId);
        if (got === undefined) throw new Error(`${answer.story}: no answer was read`);
        compare(answer, got, form.startsWith('jaeger') ? 'jaeger' : 'tempo');
      }
    });

    test.each(serverForms)('from %s saved to a file', async (form: ServerForm) => {
      for (const answer of answers.filter((each) => each.form === form)) {
        const { traces } = await readAll({ inputs: [answer.file] });
        expect(traces.map(({ trace, facts }) => [trace.traceId, facts.remote])).toEqual([
          [answer.sent.trace.traceId, true],
        ]);
        for (const got of traces) compare(answer, got, 'file');
      }
    });

    test('from memory, as the SDK hands spans over', async () => {
      const stories = new Map(answers.map((answer) => [answer.sent.trace.traceId, answer]));
      const memory = memoryCollector();
      for (const { sent } of stories.values()) memory.exporter.export(sent.trace.spans.map(sdkSpanOf), () => {});
      const byId = new Map<string, CollectedTrace>();
      for await (const group of (await memory.collect()).groups()) {
        for (const each of group) byId.set(each.trace.traceId, each);
      }
      for (const answer of stories.values()) {
        const got = byId.get(answer.sent.trace.traceId);
        if (got === undefined) throw new Error(`${answer.story}: not in memory`);
        compare(answer, got, 'memory');
      }
      await memory.close();
      expect(stories.size).toBe(171);
    });

    test('from a receiver', async () => {
      const sent = new Map(answers.map((answer) => [answer.file.replace(/\.[^.]+\.(pb|json)$/, ''), answer]));
      const receiver = await otlpReceiverCollector({ port: 0 });
      try {
        const stories = new Set(answers.map(({ story }) => story));
        for (const story of stories) {
          const [capture = '', name = ''] = story.split('/');
          for (const line of bodiesOf(`${cases}/captures/${capture}/${name}`)) {
            const response = await fetch(`${receiver.url}/v1/traces`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: line,
            });
            expect(response.status).toBe(200);
          }
        }
        await receiver.stop();
        const byId = new Map<string, CollectedTrace>();
        for await (const group of (await receiver.collect()).groups()) {
          for (const each of group) byId.set(each.trace.traceId, each);
        }
        for (const answer of sent.values()) {
          const got = byId.get(answer.sent.trace.traceId);
          if (got === undefined) throw new Error(`${answer.story}: not received`);
          compare(answer, got, 'otlp');
        }
      } finally {
        await receiver.close();
      }
    });
  });
}

function bodiesOf(path: string): string[] {
  try {
    return [readFileSync(`${path}.otlp.json`, 'utf8')];
  } catch {
    return readFileSync(`${path}.otlp.jsonl`, 'utf8').split('\n').filter(Boolean);
  }
}
