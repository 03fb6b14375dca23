import type { ReadableSpan } from '../../src/instrument/sdk-shapes.ts';
import { otlpRequest } from '../../src/register/otlp-span.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import type { Completeness } from '../../src/trace/completeness.ts';
import { completenessOf } from '../../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../../src/trace/otlp-json.ts';

const facts = { remote: true, ended: false, quiet: true, cut: false, losses: [] };

/** How whole each trace is that these OTLP/JSON requests hold, by trace id. */
export function completenessIn(requests: readonly string[]): Map<string, Completeness> {
  const decoded = requests.map((request) => decodeOtlpJson(request));
  const traces = buildTraces(
    decoded.flatMap(({ spans }) => spans),
    decoded.flatMap(({ logs }) => logs),
  );
  return new Map([...traces.values()].map((trace) => [trace.traceId, completenessOf(trace, facts)]));
}

/** State and reasons of the one trace that these spans make. */
export function wholeness(spans: readonly object[]): [string, ...string[]] {
  const all = [...completenessIn([otlpRequest(spans as ReadableSpan[])]).values()];
  const [only] = all;
  if (only === undefined || all.length !== 1) throw new Error(`expected one trace, got ${all.length}`);
  return [only.state, ...only.reasons];
}
