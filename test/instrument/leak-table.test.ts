import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { agentSpanProcessor } from '../../src/instrument/agent-span-processor.ts';
import { spellingsOf } from '../../src/trace/privacy/spellings.ts';
import { tracing } from './tracing.ts';

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const reasoningPart = (content: string) =>
  JSON.stringify([{ role: 'assistant', parts: [{ type: 'reasoning', content }] }]);

/** Where each dialect puts what; a channel that a dialect does not have is left out. */
type Channels = Readonly<Record<string, (text: string) => Attributes>>;
const dialects: Readonly<Record<string, Channels>> = {
  'otel-genai': {
    system: (text) => ({ 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: text }]) }),
    user: (text) => ({ 'gen_ai.input.messages': message('user', text) }),
    arguments: (text) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 't',
      'gen_ai.tool.call.arguments': JSON.stringify({ q: text }),
    }),
    result: (text) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 't',
      'gen_ai.tool.call.result': JSON.stringify({ error: text }),
    }),
    answer: (text) => ({ 'gen_ai.output.messages': message('assistant', text) }),
    reasoning: (text) => ({ 'gen_ai.output.messages': reasoningPart(text) }),
    definitions: (text) => ({ 'gen_ai.tool.definitions': JSON.stringify([{ name: 't', description: text }]) }),
    stop: (text) => ({ 'gen_ai.request.stop_sequences': [text] }),
    query: (text) => ({ 'gen_ai.retrieval.query.text': text, 'gen_ai.memory.query.text': text }),
  },
  'openai-flattened': {
    user: (text) => ({ 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': text }),
    answer: (text) => ({ 'gen_ai.completion.0.content': text }),
    reasoning: (text) => ({ 'gen_ai.completion.0.reasoning': text }),
    arguments: (text) => ({ 'gen_ai.completion.0.tool_calls.0.arguments': JSON.stringify({ q: text }) }),
  },
  openinference: {
    user: (text) => ({ 'input.value': text, 'llm.input_messages.0.message.content': text }),
    answer: (text) => ({ 'output.value': text, 'llm.output_messages.0.message.content': text }),
    reasoning: (text) => ({
      'llm.output_messages.0.message.contents.0.message_content.type': 'reasoning',
      'llm.output_messages.0.message.contents.0.message_content.text': text,
    }),
    parameters: (text) => ({ 'llm.invocation_parameters': JSON.stringify({ user: text }) }),
    metadata: (text) => ({ metadata: JSON.stringify({ note: text }) }),
    document: (text) => ({ 'retrieval.documents.0.document.content': text }),
    embedding: (text) => ({ 'embedding.embeddings.0.embedding.text': text }),
  },
  traceloop: {
    arguments: (text) => ({
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': 't',
      'traceloop.entity.input': JSON.stringify({ args: [text] }),
    }),
    result: (text) => ({ 'traceloop.span.kind': 'tool', 'traceloop.entity.output': text }),
    property: (text) => ({ 'traceloop.association.properties.note': text }),
  },
  'ai-sdk': {
    user: (text) => ({ 'ai.prompt': JSON.stringify({ prompt: text }), 'ai.prompt.messages': message('user', text) }),
    answer: (text) => ({ 'ai.response.text': text }),
    reasoning: (text) => ({ 'ai.response.reasoning': text }),
    arguments: (text) => ({
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': 't',
      'ai.toolCall.args': JSON.stringify({ q: text }),
    }),
    result: (text) => ({ 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 't', 'ai.toolCall.result': text }),
    metadata: (text) => ({ 'ai.telemetry.metadata.note': text, 'ai.settings.context.note': text }),
  },
  'pydantic-ai': {
    user: (text) => ({ 'pydantic_ai.all_messages': message('user', text), final_result: text, 'logfire.msg': text }),
    reasoning: (text) => ({
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'thinking', content: text }] }]),
    }),
    arguments: (text) => ({ tool_arguments: text, tool_response: text }),
  },
  langsmith: {
    user: (text) => ({ 'gen_ai.prompt': JSON.stringify({ messages: [text] }) }),
    answer: (text) => ({ 'gen_ai.completion': JSON.stringify({ text }) }),
    metadata: (text) => ({ 'langsmith.metadata.note': text, 'gen_ai.request.extra_body': text }),
  },
  langfuse: {
    user: (text) => ({ 'langfuse.observation.input': text, 'langfuse.trace.input': text }),
    answer: (text) => ({ 'langfuse.observation.output': text, 'langfuse.observation.status_message': text }),
  },
  mastra: {
    user: (text) => ({ 'mastra.agent_run.input': text }),
    answer: (text) => ({ 'mastra.model_step.output': text }),
  },
  'google-adk': {
    user: (text) => ({ 'gcp.vertex.agent.llm_request': JSON.stringify({ contents: [{ parts: [{ text }] }] }) }),
    reasoning: (text) => ({
      'gcp.vertex.agent.llm_response': JSON.stringify({ content: { parts: [{ text, thought: true }] } }),
    }),
    arguments: (text) => ({ 'gcp.vertex.agent.tool_call_args': text, 'gcp.vertex.agent.tool_response': text }),
  },
  genkit: { user: (text) => ({ 'genkit:input': text }), answer: (text) => ({ 'genkit:output': text }) },
  strands: { system: (text) => ({ system_prompt: text }), user: (text) => ({ 'gen_ai.agent.input': text }) },
  'claude-code': { user: (text) => ({ user_prompt: text, full_command: text, file_path: text }) },
  sentry: {
    answer: (text) => ({ 'gen_ai.response.text': text, 'gen_ai.tool.input': text, 'gen_ai.tool.output': text }),
  },
  haystack: {
    user: (text) => ({ 'haystack.agent.input': text }),
    answer: (text) => ({ 'haystack.agent.step.tool.output': text }),
  },
  http: {
    url: (text) => ({
      'url.full': `https://h.test/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`,
      'http.target': text,
      'url.query': text,
      'url.path': text,
    }),
    header: (text) => ({
      'http.request.header.x-note': [text],
      'http.response.header.x': [text],
      'user_agent.original': text,
    }),
    body: (text) => ({ 'http.request.body': text, 'error.message': text }),
  },
  db: { statement: (text) => ({ 'db.query.text': text, 'db.statement': text, 'db.query.parameter.0': text }) },
  rpc: { metadata: (text) => ({ 'rpc.grpc.request.metadata.note': [text], 'mcp.resource.uri': `file:///${text}` }) },
  messaging: { body: (text) => ({ 'messaging.message.body': text, 'messaging.header.note': text }) },
  unknown: {
    value: (text) => ({ 'app.anything': text, request_text: text, thought: text }),
    key: (text) => ({ [`context.${text}`]: 1 }),
    'known key': (text) => ({
      'gen_ai.agent.name': text,
      'gen_ai.tool.name': text,
      'gen_ai.request.model': text,
      'session.id': text,
      'gen_ai.conversation.id': text,
      'error.type': text,
    }),
    list: (text) => ({ 'gen_ai.response.finish_reasons': ['stop', text] }),
  },
};

/** Places beside the attributes, which every dialect has. */
const places: Readonly<Record<string, (span: Span, text: string) => void>> = {
  'span name': (span, text) => span.updateName(`chat: ${text}`),
  'event name': (span, text) => span.addEvent(text),
  'event attribute': (span, text) => span.addEvent('gen_ai.user.message', { content: text, message: text }),
  exception: (span, text) => span.recordException(new Error(text)),
  'status message': (span, text) => span.setStatus({ code: SpanStatusCode.ERROR, message: text }),
  link: (span, text) =>
    span.addLink({
      context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 },
      attributes: { note: text },
    }),
};

const content = {
  mode: 'content',
  environment: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
} as const;
const words = 'My locker code is 4471 and I live at 9 Elm Row';
const secret = ['sk-', 'proj-', 'a1B2c3D4e5F6g7H8i9J0k1L2'].join('');

/** All that an exporter could send of a span. */
function sent({ name, attributes, events, links, status, resource, instrumentationScope }: ReadableSpan): string {
  return JSON.stringify({
    name,
    attributes,
    events,
    links,
    status,
    resource: resource.attributes,
    instrumentationScope,
  });
}

/** Channels that are not bound to a dialect: each is put beside the marks by which a span of each dialect is known. */
const anyDialect: Channels = {
  history: (text) => ({
    'gen_ai.input.messages': JSON.stringify([
      JSON.parse(message('user', 'hi'))[0],
      JSON.parse(message('assistant', text))[0],
    ]),
  }),
  'retry feedback': (text) => ({
    'gen_ai.input.messages': JSON.stringify([
      { role: 'user', parts: [{ type: 'tool_call_response', id: 'c', response: { error: text } }] },
      { role: 'user', parts: [{ type: 'text', content: `Try again: ${text}` }] },
    ]),
  }),
  'provider error body': (text) => ({
    'error.message': JSON.stringify({ error: { message: text } }),
    'error.type': text,
  }),
  'request header': (text) => ({ 'http.request.header.x-note': [text], 'ai.request.headers.x-note': text }),
  url: (text) => ({ 'url.full': `https://h.test/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}` }),
  sql: (text) => ({ 'db.query.text': `SELECT '${text}'` }),
  baggage: (text) => ({ 'baggage.note': text, note: text }),
  'attribute key': (text) => ({ [`app.${text}`]: 1 }),
};
const marksOfDialect: Readonly<Record<string, Attributes>> = {
  'otel-genai': { 'gen_ai.operation.name': 'chat' },
  'openai-flattened': { 'gen_ai.prompt.0.role': 'user' },
  openinference: { 'openinference.span.kind': 'LLM' },
  traceloop: { 'traceloop.span.kind': 'task' },
  'ai-sdk': { 'ai.operationId': 'ai.generateText.doGenerate' },
  'pydantic-ai': { 'logfire.span_type': 'span' },
  langsmith: { 'langsmith.span.kind': 'llm' },
  langfuse: { 'langfuse.observation.type': 'generation' },
  mastra: { 'mastra.span.type': 'model_generation' },
  'google-adk': { 'gen_ai.system': 'gcp.vertex.agent' },
  genkit: { 'genkit:type': 'action' },
  strands: { 'gen_ai.event.start_time': '2026-11-30T12:00:00Z' },
  'claude-code': { 'span.type': 'llm_request' },
  sentry: { 'sentry.op': 'gen_ai.chat' },
  haystack: { 'haystack.component.type': 'Generator' },
  unknown: {},
};

const isIn = (text: string, all: string) => spellingsOf(text).some((spelling) => all.includes(spelling));
const cells = [
  ...Object.entries(dialects).flatMap(([dialect, channels]) =>
    Object.entries(channels).map(([channel, put]) => [dialect, channel, put] as const),
  ),
  ...Object.entries(marksOfDialect).flatMap(([dialect, marks]) =>
    Object.entries(anyDialect).map(([channel, put]) => {
      return [dialect, channel, (text: string) => ({ ...marks, ...put(text) })] as const;
    }),
  ),
];
/** One line a cell; the last test holds them against a file. */
const table: string[] = [];
const has = (there: boolean) => (there ? 'there' : 'absent');

test.each(cells)('%s, %s', (dialect, channel, put) => {
  const plain = tracing();
  plain.tracer.startSpan('chat m', { attributes: put(words) }).end();
  expect(isIn(words, sent(plain.spans()[0] as ReadableSpan))).toBe(false);
  expect(plain.spans()).toHaveLength(1);
  expect(plain.processor.counters).toMatchObject({ seen: 1, failed: 0 });

  const full = tracing(content as Parameters<typeof tracing>[0]);
  full.tracer.startSpan('chat m', { attributes: put(`${words} ${secret}`) }).end();
  const out = sent(full.spans()[0] as ReadableSpan);
  expect(isIn(secret, out)).toBe(false);
  // The other half: content mode does hold the content, all but reasoning.
  const isReasoning = channel === 'reasoning' || Object.keys(put('')).includes('thought');
  if (channel === 'reasoning') expect(isIn(words, out)).toBe(false);
  else if (!isReasoning) expect(isIn(words, out)).toBe(true);
  expect(full.processor.counters.failed).toBe(0);
  const plainly = sent(plain.spans()[0] as ReadableSpan);
  table.push(
    `| ${dialect} | ${channel} | ${has(isIn(words, plainly))} | ${has(isIn(words, out))} | ${has(isIn(secret, out))} |`,
  );
});

test.each(Object.entries(places))('any dialect, %s', (place, put) => {
  const plain = tracing();
  const one = plain.tracer.startSpan('chat m');
  put(one, words);
  one.end();
  expect(isIn(words, sent(plain.spans()[0] as ReadableSpan))).toBe(false);

  const full = tracing(content as Parameters<typeof tracing>[0]);
  const two = full.tracer.startSpan('chat m');
  put(two, `${words} ${secret}`);
  two.end();
  const out = sent(full.spans()[0] as ReadableSpan);
  expect(isIn(secret, out)).toBe(false);
  expect(isIn(words, out)).toBe(true);
  const plainly = sent(plain.spans()[0] as ReadableSpan);
  table.push(
    `| any | ${place} | ${has(isIn(words, plainly))} | ${has(isIn(words, out))} | ${has(isIn(secret, out))} |`,
  );
});

test('any dialect, resource and scope', () => {
  for (const mode of [{}, content]) {
    const exporter = new InMemorySpanExporter();
    const processor = agentSpanProcessor({ next: new SimpleSpanProcessor(exporter), ...mode });
    const given = `${words} ${secret}`;
    const provider = new BasicTracerProvider({
      spanProcessors: [processor],
      resource: resourceFromAttributes({
        'app.note': given,
        'service.name': 'order-support',
        'process.command_args': [given],
      }),
    });
    provider
      .getTracer(given, given, { schemaUrl: `https://s.test/?q=${encodeURIComponent(given)}` })
      .startSpan('chat m')
      .end();
    const out = sent(exporter.getFinishedSpans()[0] as ReadableSpan);
    expect(out).toContain('order-support');
    expect([isIn(words, out), isIn(secret, out)]).toEqual([mode === content, false]);
  }
});

test('the table', async () => {
  const head = [
    '| dialect | channel | metadata mode | content mode: words | content mode: credential |',
    '| --- | --- | --- | --- | --- |',
  ];
  expect(table).toHaveLength(cells.length + Object.keys(places).length);
  await expect(`${[...head, ...table.sort()].join('\n')}\n`).toMatchFileSnapshot('leak-table.md');
});
