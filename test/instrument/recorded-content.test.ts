import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tracePrivacyModes } from '../../assertions/trace-privacy-modes.ts';
import { memoryCollector } from '../../collectors/memory.ts';
import { agentRun } from '../../src/instrument/agent-run.ts';
import { agentSpanProcessor } from '../../src/instrument/agent-span-processor.ts';
import { memory } from '../../src/instrument/memory.ts';
import { modelCall } from '../../src/instrument/model-call.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { digestOf, viewOf } from '../view-builder.ts';
import './tracing.ts';

// R2-92: what the trace holds is compared with what a model server really received and answered.

interface Message {
  readonly role: string;
  readonly content: string;
}
interface Exchange {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

let server: Server;
const exchanges: Exchange[] = [];

/** A model on loopback that keeps what it was sent and what it answered. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body) as { messages: readonly Message[] };
    const said = `answer ${exchanges.length + 1} to ${messages.length} messages`;
    exchanges.push({ input: messages.map(({ content }) => content), output: [said] });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: said } }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
afterEach(() => {
  exchanges.length = 0;
  trace.disable();
});

const remembered = 'The customer prefers a refund to a voucher.';
const others: readonly Message[] = [{ role: 'user', content: 'What is the weather in Lyon?' }];

interface Faults {
  /** What the instrumentation is told was sent, instead of what is. */
  readonly told?: (messages: readonly Message[]) => readonly Message[];
  /** The recalled text does not get into the prompt. */
  readonly dropsRecall?: boolean;
  /** What the instrumentation is told was answered. */
  readonly answered?: (said: string) => string;
  readonly mode?: 'metadata' | 'content';
  readonly ceilingBytes?: number;
}

const parts = ({ role, content }: Message) => ({ role, parts: [{ type: 'text', content }] });

async function ask(messages: readonly Message[], faults: Faults): Promise<string> {
  const told = faults.told?.(messages) ?? messages;
  return modelCall({ model: 'm', provider: 'openai', input: told.map(parts) }, async (response) => {
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify({ messages }) });
    const { choices } = (await reply.json()) as { choices: [{ message: Message }] };
    const said = choices[0].message.content;
    response({ output: faults.answered?.(said) ?? said, finishReasons: ['stop'] });
    return said;
  });
}

/** An agent that recalls, asks, and asks again; the trace that it left, in the mode that was opted into. */
async function traced(faults: Faults = {}): Promise<string> {
  const collector = memoryCollector();
  const { mode = 'content', ceilingBytes } = faults;
  const processor = agentSpanProcessor({
    next: collector.processor as never,
    mode,
    ...(ceilingBytes === undefined ? {} : { ceilingBytes }),
    environment: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
  });
  trace.disable();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor as never] }));
  await agentRun({ name: 'support', instrumented: 'all' }, async () => {
    const recalled = memory({ operation: 'search_memory' }, (records) => {
      records([{ id: 'm-1', content: remembered }]);
      return faults.dropsRecall === true ? [] : [remembered];
    });
    const system = { role: 'system', content: ['Be brief.', ...recalled].join('\n') };
    const question = { role: 'user', content: 'Please refund my order.' };
    const first = await ask([system, question], faults);
    await ask([system, question, { role: 'assistant', content: first }, { role: 'user', content: 'Thanks.' }], faults);
  });
  for await (const [collected] of (await collector.collect()).groups()) {
    return encodeOtlpJson(collected?.trace.spans ?? []);
  }
  throw new Error('no trace was collected');
}

const key = 'a-key-for-tests';

function judge(otlp: string, recorded: object, digestKey?: string): Verdict {
  const parameters = tracePrivacyModes.parameters.parse({ mode: 'content', recorded });
  return tracePrivacyModes.evaluate(viewOf(otlp, digestKey === undefined ? {} : { digestKey }), parameters);
}
const codes = ({ status, findings }: Verdict) => [status, findings.map(({ code }) => code.split('/')[1])];
const real = (at: number) => ({ ...exchanges[at], recall: [remembered] });
/** The same, as digests of what the server saw. */
const hashed = (at: number) => ({
  input: exchanges[at]?.input.map((text) => digestOf(text, key)),
  output: exchanges[at]?.output.map((text) => digestOf(text, key)),
});

test('what the server received and answered, whole and in order, is in one model call of the trace', async () => {
  const otlp = await traced();
  expect(exchanges.map(({ input, output }) => [input.length, output.length])).toEqual([
    [2, 1],
    [4, 1],
  ]);
  for (const at of [0, 1]) {
    expect(codes(judge(otlp, real(at)))).toEqual(['passed', []]);
    expect(codes(judge(otlp, hashed(at), key))).toEqual(['passed', []]);
  }
});

const unrecorded = ['failed', ['content-not-recorded']];
test.each<[string, Faults]>([
  ['unrelated words in the place of the input', { told: () => others }],
  ['unrelated words in the place of the answer', { answered: () => 'It is sunny in Lyon.' }],
  ['one message of the input left out', { told: (messages) => messages.slice(1) }],
  ['the input in another order', { told: (messages) => messages.toReversed() }],
  ['one more message than was sent', { told: (messages) => [...messages, ...others] }],
  ['an answer with a word more', { answered: (said) => `${said} indeed` }],
  ['the recalled text never got into the prompt', { dropsRecall: true }],
])('NC: %s', async (_, faults) => {
  const otlp = await traced(faults);
  expect(codes(judge(otlp, real(0)))).toEqual(unrecorded);
  if (faults.dropsRecall !== true) expect(codes(judge(otlp, hashed(0), key))).toEqual(unrecorded);
});

test('NC: input of one model call and output of another', async () => {
  const otlp = await traced();
  expect(codes(judge(otlp, { ...real(0), output: exchanges[1]?.output }))).toEqual(unrecorded);
  expect(codes(judge(otlp, { ...hashed(0), output: hashed(1).output }, key))).toEqual(unrecorded);
});

test('NC: metadata mode holds nothing of it', async () => {
  expect(codes(judge(await traced({ mode: 'metadata' }), real(0)))).toEqual([
    'failed',
    ['content-without-opt-in', 'content-not-recorded'],
  ]);
});

test('digests without a key, and content that was cut, decide nothing', async () => {
  const keyless = judge(await traced(), hashed(0));
  expect([...codes(keyless), keyless.missing]).toEqual([
    'inconclusive',
    [],
    [
      {
        kind: 'content',
        message: 'what was sent is given by digests, and no digest key is set (OTEL_EVAL_DIGEST_KEY)',
      },
    ],
  ]);
  const cut = judge(await traced({ ceilingBytes: 120 }), real(0));
  expect([...codes(cut), cut.missing]).toEqual([
    'inconclusive',
    [],
    [
      {
        kind: 'content',
        message:
          'content of 2 model calls was cut at the ceiling, so what was sent may have stood there; raise ceilingBytes of the instrumentation',
      },
    ],
  ]);
});
