import { createHmac } from 'node:crypto';
import type { Run } from '../src/agent/run.ts';
import { type RunOptions, readRuns } from '../src/agent/run-reader.ts';
import { buildTraces } from '../src/trace/build-trace.ts';
import { canonicalJson } from '../src/trace/canonical-json.ts';
import type { SourceFacts } from '../src/trace/completeness.ts';
import { completenessOf } from '../src/trace/completeness-of.ts';
import { decodeOtlpJson } from '../src/trace/otlp-json.ts';
import type { SourceKind } from '../src/trace/trace-set.ts';
import type { View } from '../src/verdict/assertion.ts';

/** A span as a test writes it; what is left out is as plain as it can be. */
export interface SpanSketch {
  /** Last digits of the span id; before them stands `d0d0…`. */
  id: string;
  parent?: string;
  name?: string;
  /** Last digits of the trace id, default `a1`. */
  trace?: string;
  /** The whole trace id, instead. */
  rawTraceId?: string;
  /** Milliseconds after the start of the story. */
  start?: number;
  /** `null` for a span that never ended. */
  end?: number | null;
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  status?: 'unset' | 'ok' | 'error';
  /** Message of the status. */
  message?: string;
  attributes?: Record<string, unknown>;
  /** `at` in milliseconds after the start of the story, default the start of the span. */
  events?: { name: string; at?: number; attributes?: Record<string, unknown> }[];
  service?: string;
  scope?: string;
  flags?: number;
}

export const spanId = (digits: string): string => digits.padStart(16, 'd0');
export const traceId = (digits: string): string => digits.repeat(16);

const epochMs = 1_760_000_000_000;
const kinds = ['internal', 'server', 'client', 'producer', 'consumer'];

function anyValue(value: unknown): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (value !== null && typeof value === 'object') return { kvlistValue: { values: keyValues(value) } };
  return {};
}

function keyValues(map: object): unknown[] {
  return Object.entries(map).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function otlpSpan(sketch: SpanSketch): unknown {
  const { id, parent, name = `span ${id}`, trace = 'a1', start = 0, end = start + 10, kind = 'internal' } = sketch;
  const nanos = (ms: number) => `${epochMs + ms}000000`;
  return {
    traceId: sketch.rawTraceId ?? traceId(trace),
    spanId: spanId(id),
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    name,
    kind: kinds.indexOf(kind) + 1,
    startTimeUnixNano: nanos(start),
    ...(end === null ? {} : { endTimeUnixNano: nanos(end) }),
    attributes: keyValues(sketch.attributes ?? {}),
    events: (sketch.events ?? []).map((event) => ({
      name: event.name,
      timeUnixNano: nanos(event.at ?? start),
      attributes: keyValues(event.attributes ?? {}),
    })),
    status: { code: { unset: 0, ok: 1, error: 2 }[sketch.status ?? 'unset'], message: sketch.message ?? '' },
    flags: sketch.flags ?? 0,
  };
}

/** The OTLP/JSON of sketched spans, one ResourceSpans each. */
export function otlpOf(sketches: readonly SpanSketch[]): string {
  return JSON.stringify({
    resourceSpans: sketches.map((sketch) => ({
      resource: { attributes: keyValues({ 'service.name': sketch.service ?? 'order-support' }) },
      scopeSpans: [{ scope: { name: sketch.scope ?? 'test' }, spans: [otlpSpan(sketch)] }],
    })),
  });
}

export interface ViewOptions {
  kind?: SourceKind;
  facts?: Partial<SourceFacts>;
  acceptsSettled?: boolean;
  beforeDeadline?: boolean;
  remoteRoot?: boolean;
  absentParentOf?: readonly string[];
  digestKey?: string;
  unselected?: View['unselected'];
  runs?: RunOptions;
  /** Which of the runs that were read, default the first. */
  index?: number;
  /** Replaces what was read, for what a reader of runs cannot be made to say. */
  run?: Partial<Run>;
}

const localFacts: SourceFacts = { remote: false, ended: true, quiet: true, cut: false, losses: [] };

/** A view of OTLP/JSON or of sketched spans, read by the real decoder, builders and reader of runs. */
export function viewOf(input: string | readonly SpanSketch[], options: ViewOptions = {}): View {
  const { spans, logs } = decodeOtlpJson(typeof input === 'string' ? input : otlpOf(input));
  const facts = { ...localFacts, ...options.facts };
  const expected = { remoteRoot: options.remoteRoot ?? false, absentParentOf: options.absentParentOf ?? [] };
  const traces = [...buildTraces(spans, logs).values()].map((trace) => ({
    trace,
    facts,
    completeness: completenessOf(trace, facts, expected),
  }));
  const run = readRuns(traces, options.runs)[options.index ?? 0];
  if (run === undefined) throw new Error('the input holds no such run');
  return {
    run: options.run === undefined ? run : replaced(run, options.run),
    traces: traces.filter(({ trace }) => run.traces.includes(trace)),
    source: {
      kind: options.kind ?? 'file',
      acceptsSettled: options.acceptsSettled ?? false,
      beforeDeadline: options.beforeDeadline ?? false,
    },
    ...expected,
    digest: (value) => (options.digestKey === undefined ? null : digestOf(value, options.digestKey)),
    unselected: options.unselected ?? [],
  };
}

/** A run works out what it is asked for, so its members cannot be copied. */
function replaced(run: Run, changes: Partial<Run>): Run {
  return new Proxy(run, { get: (target, key) => Reflect.get(key in changes ? changes : target, key) });
}

export function digestOf(value: unknown, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`;
}
