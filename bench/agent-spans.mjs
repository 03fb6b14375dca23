// Spans as an agent makes them, through the real SDK, for the rows of the span processor.
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { median } from './paired.mjs';

const words = 'x'.repeat(1_500);
const given = JSON.stringify({ order_id: 'A-1001', amount: 49.5 });
const result = JSON.stringify({ refund_id: 'R-1', status: 'refunded' });
let ids = 0;

function chat(tracer, context) {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'm-1',
  };
  const span = tracer.startSpan('chat m-1', { kind: 2, attributes }, context);
  span.setAttribute('gen_ai.response.model', 'm-1');
  span.setAttribute('gen_ai.response.id', `resp_${ids++}`);
  span.setAttribute('gen_ai.usage.input_tokens', 12);
  span.setAttribute('gen_ai.usage.output_tokens', 7);
  span.setAttribute('gen_ai.input.messages', words);
  span.setAttribute('gen_ai.output.messages', words);
  span.end();
}

function tool(tracer, context) {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'issue_refund',
    'gen_ai.tool.call.id': `call_${ids++}`,
    'gen_ai.tool.call.arguments': given,
  };
  const span = tracer.startSpan('execute_tool issue_refund', { attributes }, context);
  span.setAttribute('gen_ai.tool.call.result', result);
  span.end();
}

/** One run of an agent: five spans under one root. */
function run(tracer) {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'order-support' };
  const root = tracer.startSpan('invoke_agent order-support', { attributes }, ROOT_CONTEXT);
  const context = trace.setSpan(ROOT_CONTEXT, root);
  for (const step of [chat, tool, chat, chat]) step(tracer, context);
  root.end();
}

function tracing(wrap, exporter) {
  const processor = wrap(new BatchSpanProcessor(exporter));
  return { processor, tracer: new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('bench') };
}

async function batch({ tracer, processor }) {
  const before = process.cpuUsage();
  for (let count = 0; count < 100; count += 1) run(tracer);
  await processor.forceFlush();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 500;
}

/** Median ratio, in processor time, of spans through `wrap(batch processor)` to the batch processor alone. */
export async function processorRatio(wrap, exporter, rounds = 200) {
  const floor = tracing((next) => next, exporter);
  const work = tracing(wrap, exporter);
  const ratios = [];
  const floors = [];
  for (let i = 0; i < rounds + 40; i += 1) {
    const first = await batch(i % 2 ? work : floor);
    const second = await batch(i % 2 ? floor : work);
    if (i < 40) continue;
    ratios.push(i % 2 ? first / second : second / first);
    floors.push(i % 2 ? second : first);
  }
  return { value: median(ratios), note: `BatchSpanProcessor alone: ${median(floors).toFixed(1)} µs a span` };
}

/** Milliseconds of processor time that a span with `bytes` of messages takes through `wrap(batch processor)`. */
export async function contentSpanMs(wrap, bytes) {
  const exported = [];
  const exporter = {
    export: (spans, done) => {
      exported.push(...spans.map(({ attributes }) => attributes['gen_ai.input.messages']?.length ?? 0));
      done({ code: 0 });
    },
    shutdown: async () => {},
    forceFlush: async () => {},
  };
  const { tracer, processor } = tracing(wrap, exporter);
  const turn = { role: 'user', parts: [{ type: 'text', content: 'The order A-1001 did not arrive. '.repeat(8) }] };
  const turns = Math.floor((bytes - 1) / (JSON.stringify(turn).length + 1));
  const messages = JSON.stringify(Array.from({ length: turns }, () => turn));
  const times = [];
  for (let i = 0; i < 40; i += 1) {
    const before = process.cpuUsage();
    for (let count = 0; count < 25; count += 1) {
      const span = tracer.startSpan('chat m-1', { kind: 2, attributes: { 'gen_ai.operation.name': 'chat' } });
      span.setAttribute('gen_ai.input.messages', messages);
      span.end();
    }
    await processor.forceFlush();
    const { user, system } = process.cpuUsage(before);
    if (i >= 10) times.push((user + system) / 1e3 / 25);
  }
  if (!exported.every((length) => length > bytes / 2)) throw new Error('the messages were withheld');
  return median(times);
}
