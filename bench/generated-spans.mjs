// Spans as an instrumented agent sends them: ten attributes and about 1.5 KB of OTLP/JSON each, one trace a line.
// The same seed gives the same bytes.

const words =
  'order refund invoice customer paid delivered please status amount carrier parcel address Tuesday policy'.split(' ');

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

function hex(next, digits) {
  let text = '';
  while (text.length < digits) text += next().toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

function sentence(next, length) {
  let text = '';
  while (text.length < length) text += `${words[next() % words.length]} `;
  return text.slice(0, length);
}

const string = (key, stringValue) => ({ key, value: { stringValue } });
const integer = (key, value) => ({ key, value: { intValue: String(value) } });

function chatAttributes(next) {
  return [
    string('gen_ai.operation.name', 'chat'),
    string('gen_ai.provider.name', 'openai'),
    string('gen_ai.request.model', 'gpt-5-mini'),
    string('gen_ai.response.model', 'gpt-5-mini-2026-08-07'),
    string('gen_ai.response.id', `resp_${hex(next, 32)}`),
    integer('gen_ai.usage.input_tokens', next() % 4000),
    integer('gen_ai.usage.output_tokens', next() % 900),
    { key: 'gen_ai.response.finish_reasons', value: { arrayValue: { values: [{ stringValue: 'tool_calls' }] } } },
    string(
      'gen_ai.input.messages',
      JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: sentence(next, 190) }] }]),
    ),
    string(
      'gen_ai.output.messages',
      JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: sentence(next, 120) }] }]),
    ),
  ];
}

function agentAttributes(next) {
  return [
    string('gen_ai.operation.name', 'invoke_agent'),
    string('gen_ai.agent.name', 'order-support'),
    ...chatAttributes(next).filter(({ key }) => key !== 'gen_ai.operation.name' && key !== 'gen_ai.response.id'),
  ];
}

function toolAttributes(next, conversationId) {
  return [
    string('gen_ai.operation.name', 'execute_tool'),
    string('gen_ai.tool.name', next() % 2 ? 'lookup_order' : 'issue_refund'),
    string('gen_ai.tool.type', 'function'),
    string('gen_ai.tool.call.id', `call_${hex(next, 24)}`),
    string('gen_ai.tool.description', sentence(next, 90)),
    string(
      'gen_ai.tool.call.arguments',
      JSON.stringify({ order_id: `ORD-${next() % 100000}`, note: sentence(next, 120) }),
    ),
    string(
      'gen_ai.tool.call.result',
      JSON.stringify({ status: 'paid', amount: next() % 500, text: sentence(next, 200) }),
    ),
    string('gen_ai.conversation.id', conversationId),
    { key: 'retry', value: { boolValue: false } },
    { key: 'app.latency_ms', value: { doubleValue: (next() % 100000) / 64 } },
  ];
}

/** One request with one trace of `spans` spans: an agent, and chats and tool calls below it. */
export function request(seed, spans) {
  const next = generator(seed);
  const traceId = hex(next, 32);
  const rootId = hex(next, 16);
  const base = 1_760_000_000_000_000_000n + BigInt(seed % 1_000_000) * 60_000_000_000n;
  const rows = [];
  for (let i = 0; i < spans; i += 1) {
    const start = base + BigInt(i) * 1_000_000n + BigInt(next() % 999_999);
    const tool = i > 0 && i % 2 === 0;
    rows.push({
      traceId,
      spanId: i === 0 ? rootId : hex(next, 16),
      ...(i === 0 ? {} : { parentSpanId: rootId }),
      flags: 257,
      name: i === 0 ? 'invoke_agent order-support' : tool ? 'execute_tool lookup_order' : 'chat gpt-5-mini',
      kind: tool || i === 0 ? 1 : 3,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + BigInt(next() % 50_000_000)),
      attributes: i === 0 ? agentAttributes(next) : tool ? toolAttributes(next, rootId) : chatAttributes(next),
      status: {},
    });
  }
  return {
    resourceSpans: [
      {
        resource: {
          attributes: [
            string('service.name', 'order-support'),
            string('service.version', '3.1.0'),
            string('telemetry.sdk.language', 'nodejs'),
            string('telemetry.sdk.name', 'opentelemetry'),
            string('telemetry.sdk.version', '2.12.1'),
            integer('process.pid', 4242),
          ],
        },
        scopeSpans: [{ scope: { name: '@example/agent', version: '1.2.0' }, spans: rows }],
      },
    ],
  };
}

/** `count` lines of JSON, one trace of `spans` spans each. */
export function* lines(count, spans, firstSeed = 1) {
  for (let i = 0; i < count; i += 1) yield JSON.stringify(request(firstSeed + i, spans));
}
