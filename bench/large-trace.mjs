// One trace of many turns: of ten spans one is an agent's, seven are model calls and two tool calls.
import { request } from './generated-spans.mjs';

const turn = 10;

/** A line of OTLP/JSON with one trace: an agent at the top, and below it agents with their calls. */
export function largeTrace(count) {
  const whole = request(1, turn);
  const scoped = whole.resourceSpans[0].scopeSpans[0];
  const pattern = scoped.spans;
  const [top] = pattern;
  const calls = [1, 1, 1, 1, 1, 1, 1, 2, 2].map((place) => pattern[place]);
  const start = BigInt(top.startTimeUnixNano);
  const row = (given, place, parentSpanId) => ({
    ...given,
    spanId: (place + 1).toString(16).padStart(16, '0'),
    parentSpanId,
    startTimeUnixNano: String(start + BigInt(place) * 1_000n),
    endTimeUnixNano: String(start + BigInt(place) * 1_000n + 900n),
    attributes: given.attributes.map((one) =>
      one.key === 'gen_ai.tool.call.id' || one.key === 'gen_ai.response.id'
        ? { key: one.key, value: { stringValue: `id_${place}` } }
        : one,
    ),
  });
  const rows = [];
  for (let place = 0; place < count; place += 1) {
    const inTurn = place % turn;
    const agent = (place - inTurn + 1).toString(16).padStart(16, '0');
    const parent = inTurn > 0 ? agent : place > 0 ? '1'.padStart(16, '0') : undefined;
    rows.push(row(inTurn === 0 ? top : calls[inTurn - 1], place, parent));
  }
  scoped.spans = rows;
  return Buffer.from(JSON.stringify(whole)).toString('utf8');
}
