import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { otlpRequest } from '../../src/register/otlp-span.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';
import { tracing } from './tracing.ts';

const runs = 10_000;

/** A small generator with a seed, so that a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('10,000 concurrent runs, shuffled, with random loss: every loss is short with its number, no whole trace is', () => {
  const { tracer, spans } = tracing();
  const next = random(7);
  const open: Span[][] = [];
  for (let run = 0; run < runs; run++) {
    const root = tracer.startSpan('invoke_agent a', {}, ROOT_CONTEXT);
    const chat = tracer.startSpan('chat m', {}, trace.setSpan(ROOT_CONTEXT, root));
    open.push([chat, tracer.startSpan('execute_tool t', {}, trace.setSpan(ROOT_CONTEXT, chat)), root]);
  }
  // All are open at once, and end in any order but the root last.
  for (const turn of [0, 1, 2]) for (const run of open) run[turn]?.end();
  const ended = spans();
  const isLost = ended.map((span) => span.name !== 'invoke_agent a' && next() < 0.05);
  const kept: ReadableSpan[] = ended.filter((_, index) => !isLost[index]);
  const lost = new Map<string, number>();
  for (const [index, span] of ended.entries()) {
    const { traceId } = span.spanContext();
    lost.set(traceId, (lost.get(traceId) ?? 0) + (isLost[index] ? 1 : 0));
  }
  for (let index = kept.length - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1));
    [kept[index], kept[other]] = [kept[other] as ReadableSpan, kept[index] as ReadableSpan];
  }
  const decoded = decodeOtlpJson(otlpRequest(kept));
  const facts = { remote: true, ended: false, quiet: false, cut: false, losses: [] };
  const states = { proven: 0, short: 0 };
  for (const one of buildTraces(decoded.spans, decoded.logs).values()) {
    const missing = lost.get(one.traceId) ?? 0;
    const { state, reasons } = completenessOf(one, facts);
    expect(state).toBe(missing === 0 ? 'proven' : 'short');
    if (missing > 0)
      expect(reasons[0]).toBe(
        `${missing === 1 ? '1 span' : `${missing} spans`} missing: a receipt says 3, ${3 - missing} are here`,
      );
    states[missing === 0 ? 'proven' : 'short']++;
  }
  expect(states.proven + states.short).toBe(runs);
  expect(states.short).toBeGreaterThan(500);
});

test('a lost local root takes its receipt along: never proven, and broken once the source has ended', () => {
  const { tracer, spans } = tracing();
  for (let run = 0; run < 50; run++) {
    const root = tracer.startSpan('invoke_agent a', {}, ROOT_CONTEXT);
    tracer.startSpan('chat m', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
    root.end();
  }
  const decoded = decodeOtlpJson(otlpRequest(spans().filter(({ name }) => name !== 'invoke_agent a')));
  const facts = { quiet: true, cut: false, losses: [] };
  const states = [...buildTraces(decoded.spans, decoded.logs).values()].map((one) => [
    completenessOf(one, { ...facts, remote: false, ended: true }).state,
    completenessOf(one, { ...facts, remote: true, ended: false }).state,
  ]);
  expect([states.length, new Set(states.map(([ended]) => ended)), new Set(states.map(([, open]) => open))]).toEqual([
    50,
    new Set(['broken']),
    new Set(['broken']),
  ]);
});
