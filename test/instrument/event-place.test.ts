import { context, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { agentSpanProcessor } from '../../src/instrument/agent-span-processor.ts';
import { type EventPlace, eventPlace, textDelta } from '../../src/instrument/event-place.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { toolCall } from '../../src/instrument/tool-call.ts';
import { type Tracing, tracing } from './tracing.ts';

afterEach(() => trace.disable());

function installed(...given: Parameters<typeof tracing>): Tracing {
  const here = tracing(...given);
  trace.setGlobalTracerProvider(here.provider);
  return here;
}

const identity = { runId: 'run-1', conversationId: 'conversation-1' };
const index = 'otel_eval.event.index';

test('spans and text deltas are one sequence; the places told are those of the trace', async () => {
  const here = installed();
  const told: (EventPlace | undefined)[] = [];
  await agentRun({ name: 'support', ...identity }, async () => {
    told.push(eventPlace());
    await modelCall({ model: 'm', provider: 'p' }, async () => {
      told.push(eventPlace(), textDelta(), textDelta());
    });
    toolCall({ name: 'issue_refund' }, () => told.push(eventPlace()));
    told.push(textDelta());
  });
  const [model, tool, agent] = here.spans();
  const segment = agent?.attributes['otel_eval.segment'];
  const traceId = agent?.spanContext().traceId;
  const at = (span: typeof agent, eventIndex: number) => ({
    ...identity,
    segment,
    eventIndex,
    traceId,
    spanId: span?.spanContext().spanId,
  });
  expect(told).toEqual([at(agent, 0), at(model, 1), at(agent, 2), at(agent, 3), at(tool, 4), at(agent, 5)]);
  expect([agent, model, tool].map((span) => span?.attributes[index])).toEqual([0, 1, 4]);
  expect(agent?.events.map(({ name, attributes }) => [name, attributes])).toEqual(
    [2, 3, 5].map((n) => ['otel_eval.evidence.text_delta', { [index]: n }]),
  );
  expect([model?.events, tool?.events]).toEqual([[], []]);
  // The receipt counts spans, as before.
  expect(agent?.attributes['otel_eval.receipt.spans']).toBe(3);
});

test('a stream that is read after the function has returned; an agent that another one asks', async () => {
  const here = installed();
  async function* stream(): AsyncGenerator<string> {
    yield 'a';
    textDelta();
    yield 'b';
  }
  const read = agentRun({ name: 'outer' }, () => stream());
  for await (const _ of read);
  agentRun({ name: 'outer' }, () => agentRun({ name: 'inner' }, () => textDelta()));
  agentRun({ name: 'outer', runId: 'run-1' }, () => agentRun({ name: 'inner', runId: 'run-2' }, () => textDelta()));
  const deltas = here.spans().map(({ name, events }) => [name, events.length]);
  expect(deltas).toEqual([
    ['invoke_agent outer', 1],
    ['invoke_agent inner', 0],
    ['invoke_agent outer', 1],
    ['invoke_agent inner', 1],
    ['invoke_agent outer', 0],
  ]);
});

test('a span of a framework, given or active', () => {
  const here = installed();
  const span = here.tracer.startSpan('graph');
  expect(eventPlace(span)?.eventIndex).toBe(0);
  expect(textDelta(span)?.eventIndex).toBe(1);
  context.with(trace.setSpan(context.active(), span), () => expect(textDelta()?.eventIndex).toBe(2));
  span.end();
  expect(textDelta(span)).toBeUndefined();
  expect(here.spans()[0]?.events.map(({ attributes }) => attributes?.[index])).toEqual([1, 2]);
});

test('nothing where nothing is stamped: no span, no processor, not sampled, a span that is none', () => {
  expect([eventPlace(), textDelta()]).toEqual([undefined, undefined]);
  const bare = new BasicTracerProvider().getTracer('app').startSpan('graph');
  expect([eventPlace(bare), textDelta(bare)]).toEqual([undefined, undefined]);
  const off = installed({}, new AlwaysOffSampler()).tracer.startSpan('graph');
  expect(off.spanContext().traceFlags).toBe(TraceFlags.NONE);
  expect([eventPlace(off), textDelta(off)]).toEqual([undefined, undefined]);
  const hostile = new Proxy({}, { get: () => expect.unreachable() }) as never;
  expect([eventPlace(hostile), textDelta(hostile)]).toEqual([undefined, undefined]);
});

test('of several processors the first one counts, that of the app', () => {
  const exporters = [new InMemorySpanExporter(), new InMemorySpanExporter()];
  const provider = new BasicTracerProvider({
    spanProcessors: exporters.map((next) => agentSpanProcessor({ next: new SimpleSpanProcessor(next) })),
  });
  const span = provider.getTracer('app').startSpan('graph');
  const place = eventPlace(span);
  span.end();
  expect(place?.segment).toBe(exporters[0]?.getFinishedSpans()[0]?.attributes['otel_eval.segment']);
});
