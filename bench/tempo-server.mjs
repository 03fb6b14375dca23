// A loopback Tempo for the bench, in a process of its own: any trace id gives a proven trace of 50 spans, in protobuf.
// Usage: node tempo-server.mjs LATENCY_MS. The first line on stdout is the address.
import { createServer } from 'node:http';
import { encodeOtlpProtobuf } from '../dist/src/trace/encode-otlp-protobuf.js';
import { IdDigest } from '../dist/src/trace/id-digest.js';
import { decodeOtlpJson } from '../dist/src/trace/otlp-json.js';
import { request } from './generated-spans.mjs';

const spansOfTrace = 50;
const latencyMs = Number(process.argv[2] ?? 0);

/** Messages whose trace id can be exchanged: where it stands in each. */
const templates = Array.from({ length: 100 }, (_, seed) => {
  const otlp = request(seed + 1, spansOfTrace);
  const rows = otlp.resourceSpans[0].scopeSpans[0].spans;
  const digest = new IdDigest();
  for (const row of rows) {
    digest.add(row.spanId);
    row.attributes.push({ key: 'otel_eval.segment', value: { stringValue: 'a0b1c2d300000001' } });
  }
  // An agent at the top bounds the run: without one, all traces are one run, and none can be let go.
  rows[0].attributes.find(({ key }) => key === 'gen_ai.operation.name').value.stringValue = 'invoke_agent';
  rows[0].attributes.push(
    { key: 'gen_ai.agent.name', value: { stringValue: 'order-support' } },
    { key: 'otel_eval.receipt.spans', value: { intValue: String(spansOfTrace) } },
    { key: 'otel_eval.receipt.open', value: { intValue: '0' } },
    { key: 'otel_eval.receipt.digest', value: { stringValue: digest.hex() } },
  );
  const message = Buffer.from(encodeOtlpProtobuf(decodeOtlpJson(JSON.stringify(otlp)).spans));
  const id = Buffer.from(rows[0].traceId, 'hex');
  const places = [];
  for (let at = message.indexOf(id); at >= 0; at = message.indexOf(id, at + 16)) places.push(at);
  return { message, places };
});

/** Tempo's envelope: 1 trace, 2 metrics. */
function answer(traceId) {
  const { message, places } = templates[Number.parseInt(traceId.slice(-6), 16) % templates.length];
  const id = Buffer.from(traceId, 'hex');
  const body = Buffer.from(message);
  for (const at of places) id.copy(body, at);
  const length = [];
  for (let rest = body.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([0x0a, ...length]), body, Buffer.from([0x12, 0])]);
}

const server = createServer((incoming, response) => {
  const body = answer(incoming.url.split('?')[0].split('/').at(-1));
  const send = () => {
    response.writeHead(200, { 'content-type': 'application/protobuf', 'content-length': body.length });
    response.end(body);
  };
  if (latencyMs > 0) setTimeout(send, latencyMs);
  else send();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
