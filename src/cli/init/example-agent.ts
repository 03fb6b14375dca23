/**
 * What `init` writes as the example: an agent with a scripted model, which needs nothing but Node. It writes its spans as
 * the OpenTelemetry GenAI conventions say; in an app the SDK does that.
 */
export const exampleAgent: string = `// A stand-in for your agent: a scripted model, two tools, and the spans that an instrumented app sends.
//   node example-agent.mjs                      writes example.otlp.jsonl
//   node example-agent.mjs --forget-refund      the same, but it never issues the refund
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const id = (bytes) => randomBytes(bytes).toString('hex');
const startedAt = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
const now = () => String(startedAt + process.hrtime.bigint());
const traceId = id(16);
const spans = [];

function span(name, parentSpanId, attributes, work) {
  const spanId = id(8);
  const startTimeUnixNano = now();
  const result = work(spanId);
  const told = Object.entries({ ...attributes, ...result?.attributes });
  spans.push({
    traceId, spanId, parentSpanId, name, kind: 1, startTimeUnixNano, endTimeUnixNano: now(), status: {},
    attributes: told.map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  });
  return result?.value;
}

const tools = {
  look_up_order: ({ order_id }) => ({ order_id, paid: true, amount: 40 }),
  issue_refund: ({ order_id }) => ({ order_id, refunded: true }),
};
const script = ['look_up_order', ...(process.argv.includes('--forget-refund') ? [] : ['issue_refund'])];

span('invoke_agent example-agent', undefined, {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'example-agent',
}, (agent) => {
  const messages = [{ role: 'user', parts: [{ type: 'text', content: 'Please refund ORD-1.' }] }];
  for (const [round, tool] of [...script, undefined].entries()) {
    const callId = \`call-\${round}\`;
    const order = { order_id: 'ORD-1' };
    const answer = { role: 'assistant', parts: tool === undefined
      ? [{ type: 'text', content: 'Your refund is on its way.' }]
      : [{ type: 'tool_call', id: callId, name: tool, arguments: order }] };
    span('chat scripted', agent, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.response.finish_reasons': tool === undefined ? 'stop' : 'tool_calls',
      'gen_ai.usage.input_tokens': 40,
      'gen_ai.usage.output_tokens': 12,
      'gen_ai.input.messages': JSON.stringify(messages),
      'gen_ai.output.messages': JSON.stringify([answer]),
    }, () => {});
    messages.push(answer);
    if (tool === undefined) break;
    const result = span(\`execute_tool \${tool}\`, agent, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.call.arguments': JSON.stringify(order),
    }, () => {
      const value = tools[tool](order);
      return { value, attributes: { 'gen_ai.tool.call.result': JSON.stringify(value) } };
    });
    messages.push({ role: 'tool', parts: [{ type: 'tool_call_response', id: callId, result }] });
  }
});

const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'example-agent' } }] };
const scope = { name: 'example-agent', version: '1.0.0' };
writeFileSync('example.otlp.jsonl', \`\${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })}\\n\`);
console.log(\`\${spans.length} spans written to example.otlp.jsonl\`);
`;
