// Runs beside a copy of our sources, on whichever line of the SDK is installed there, and prints what came of it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import * as sdk from '@opentelemetry/sdk-trace';
import { memoryCollector } from './collectors/memory.ts';
import { agentRun, agentSpanProcessor, modelCall, toolCall } from './src/instrument/index.ts';
import { register } from './src/register/register.ts';
import { recordTraces } from './src/testing/record-traces.ts';

const require = createRequire(import.meta.url);
const manifest = new URL('node_modules/@opentelemetry/sdk-trace/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
const environment = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true', OTEL_EVAL_DIGEST_KEY: 'k' };

const simple = (exporter) => new sdk.SimpleSpanProcessor({ exporter });
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    posted.push(Buffer.concat(chunks).toString());
    response.end('{}');
  });
});
const posted = [];
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const recorded = { alone: await recordedRuns(recordTraces()) };
const full = new sdk.InMemorySpanExporter();
const memory = memoryCollector();
const plain = agentSpanProcessor({
  environment,
  outputs: [{ next: memory.processor }, { next: simple(full), mode: 'content' }],
});
// As a second processor of one provider, beside ours: register() makes the provider and the contexts.
const registration = register({
  serviceName: 'lines',
  url: `http://127.0.0.1:${server.address().port}/v1/traces`,
  environment,
});
const provider = new sdk.TracerProvider({ spanProcessors: [plain] });
const global = trace.getTracer('app');
const tracer = provider.getTracer('app', '1.2.3');

/** One run with all that a span can hold; written by hand, as an instrumentation does. */
function handWritten() {
  const root = tracer.startSpan('invoke_agent a', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
  const inRoot = trace.setSpan(context.active(), root);
  const chat = tracer.startSpan(
    'chat m',
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'private words' }] }],
        'gen_ai.usage.input_tokens': 12,
      },
      links: [{ context: root.spanContext(), attributes: { note: 'private words' } }],
    },
    inRoot,
  );
  chat.addEvent('gen_ai.choice', { content: 'private words', index: 0 });
  chat.recordException(new TypeError('private words'));
  chat.setStatus({ code: SpanStatusCode.ERROR, message: 'private words' });
  chat.end();
  for (const spelling of ['{"id":1,"q":"x"}', '{"q":"x","id":1}']) {
    const tool = tracer.startSpan(
      'execute_tool look',
      {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'look',
          'gen_ai.tool.call.arguments': spelling,
          'gen_ai.tool.call.result': '{"isError":true,"text":"private words"}',
        },
      },
      inRoot,
    );
    tool.end();
  }
  root.end();
  return root.spanContext().traceId;
}

const traceId = handWritten();
const collection = await memory.collect({ traceIds: [traceId] });
const collected = [];
for await (const group of collection.groups()) collected.push(...group);
const [one] = collected;
const attributesOf = (name) => Object.fromEntries(one.trace.spans.find((span) => span.name === name).attributes);

// The helpers, over the provider that register() made.
await agentRun({ name: 'helped', runId: 'run-1' }, async () => {
  await modelCall({ model: 'm', provider: 'openai', input: 'private words' }, async (response) => {
    response({ id: 'r-1', usage: { input: 3, output: 4 }, output: 'private words' });
  });
  await toolCall({ name: 'look', arguments: { q: 'private words' } }, async () => ({ ok: true }));
});
global.startSpan('late').end();
recorded.beside = await recordedRuns(recordTraces());
const unattached = recordTraces({ attach: false });
const own = new sdk.TracerProvider({ spanProcessors: [unattached.processor] });
recorded.given = await recordedRuns(unattached, own.getTracer('app'));
await registration.flush();

const withNodeSdk = await nodeSdk();
server.close();
const chat = full.getFinishedSpans().find(({ name }) => name === 'chat m');
console.log(
  JSON.stringify({
    version,
    state: one.completeness.state,
    spans: one.trace.spans.map(({ name }) => name),
    chat: attributesOf('chat m'),
    tool: attributesOf('execute_tool look'),
    leaked:
      /private words/.test(
        JSON.stringify(one.trace.spans, (_, value) =>
          typeof value === 'bigint' ? '' : value instanceof Map ? [...value] : value,
        ),
      ) || /private words/.test(posted.join()),
    posted: posted
      .flatMap((body) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
      .map(({ name }) => name),
    inContentMode: chat.attributes['gen_ai.input.messages'],
    counters: { ...plain.counters },
    registered: { ...registration.counters },
    withNodeSdk,
    recorded,
  }),
);
await registration.shutdown();
await provider.shutdown();

/** Two recordings side by side, one of them with a span that stays open; then a span that nobody records. */
async function recordedRuns(traces, given) {
  const from = given ?? trace.getTracer('app');
  const agent = async (tool) => {
    const root = from.startSpan('invoke_agent r', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
    const inRoot = trace.setSpan(context.active(), root);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
    from.startSpan(`execute_tool ${tool}`, { attributes }, inRoot).end();
    root.end();
    return tool;
  };
  const record = (fn, name) => traces.record(fn, { name, graceMs: 50 });
  const runs = await Promise.all([
    record(() => agent('one'), 'first'),
    record(() => {
      from.startSpan('left open');
      return agent('two');
    }, 'second'),
  ]);
  await traces.close();
  from.startSpan('after').end();
  return runs.map(({ value, run, traces: all, open, others }) => ({
    value,
    tools: run.toolCalls.map(({ name }) => name),
    states: all.map(({ completeness }) => completeness.state).sort(),
    spans: all.flatMap((one) => one.trace.spans.map(({ name }) => name)).sort(),
    open: open.map(({ name }) => name),
    others: others.length,
  }));
}

/** NodeSDK, with two of ours behind each other's back: each stamps its own copies. */
async function nodeSdk() {
  const { NodeSDK } = require('@opentelemetry/sdk-node');
  trace.disable();
  context.disable();
  const [first, second] = [new sdk.InMemorySpanExporter(), new sdk.InMemorySpanExporter()];
  const node = new NodeSDK({
    serviceName: 'node-sdk',
    instrumentations: [],
    resourceDetectors: [],
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [
      agentSpanProcessor({ next: simple(first), environment }),
      agentSpanProcessor({ next: simple(second), mode: 'content', environment }),
    ],
  });
  node.start();
  await agentRun({ name: 'in-node-sdk' }, async () => {
    await modelCall({ model: 'm', provider: 'openai', input: 'private words' }, async () => {});
  });
  const out = [first, second].map((exporter) =>
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, resource }) => [
        name,
        attributes['otel_eval.receipt.spans'] ?? null,
        attributes['otel_eval.content.mode'] ?? null,
        JSON.stringify(attributes).includes('private words'),
        resource.attributes['service.name'],
      ]),
  );
  await node.shutdown();
  return out;
}
