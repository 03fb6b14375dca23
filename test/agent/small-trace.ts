import type { Run } from '../../src/agent/run.ts';
import { type RunOptions, readRuns } from '../../src/agent/run-reader.ts';
import type { AttributeValue } from '../../src/trace/attributes.ts';
import { buildTraces } from '../../src/trace/build-trace.ts';
import type { LogRecord } from '../../src/trace/log-record.ts';
import type { Span, SpanEvent, StatusCode } from '../../src/trace/span.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';

/** A span in few words. `id` is the last digits of its span id; times are milliseconds. */
export interface SmallSpan {
  readonly id: number;
  readonly parent?: number;
  readonly trace?: number;
  readonly name: string;
  readonly scope?: string;
  readonly version?: string;
  readonly at?: readonly [number, number | undefined];
  readonly status?: StatusCode;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: readonly { readonly name: string; readonly attributes?: Readonly<Record<string, unknown>> }[];
  readonly dropped?: number;
  /** Attributes that go in as they are: nested maps, 64-bit integers. */
  readonly raw?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
  /** Log records of this span. */
  readonly logs?: readonly {
    readonly name: string;
    readonly body?: AttributeValue;
    readonly attributes?: Readonly<Record<string, unknown>>;
  }[];
}

export function spanId(id: number): string {
  return id.toString(16).padStart(16, '0');
}

export function traceId(trace: number): string {
  return trace.toString(16).padStart(32, '0');
}

/** Objects and arrays that are no plain lists become JSON text, as JavaScript SDKs write them. */
function attributes(from: Readonly<Record<string, unknown>> = {}): Map<string, AttributeValue> {
  return new Map(
    Object.entries(from).map(([key, value]) => {
      const plainList = Array.isArray(value) && value.every((item) => typeof item === 'string');
      const text = typeof value === 'object' && value !== null && !plainList;
      return [key, text ? JSON.stringify(value) : (value as AttributeValue)];
    }),
  );
}

const scopes = new Map<string, Span['scope']>();

function scopeOf(name: string, version: string): Span['scope'] {
  const key = `${name}@${version}`;
  const scope = scopes.get(key) ?? { name, version, attributes: new Map(), droppedAttributesCount: 0 };
  scopes.set(key, scope);
  return scope;
}

const resource: Span['resource'] = { attributes: new Map(), droppedAttributesCount: 0 };

function ns(ms: number): bigint {
  return 1_760_000_000_000_000_000n + BigInt(ms) * 1_000_000n;
}

export function span(small: SmallSpan): Span {
  const [start, end] = small.at ?? [small.id * 10, small.id * 10 + 5];
  return {
    traceId: traceId(small.trace ?? 1),
    spanId: spanId(small.id),
    parentSpanId: small.parent === undefined ? undefined : spanId(small.parent),
    name: small.name,
    kind: 'internal',
    startUnixNano: ns(start),
    endUnixNano: end === undefined ? undefined : ns(end),
    status: { code: small.status ?? 'unset', message: '' },
    attributes: new Map([...attributes(small.attributes), ...Object.entries(small.raw ?? {})] as [
      string,
      AttributeValue,
    ][]),
    events: (small.events ?? []).map(
      (event): SpanEvent => ({
        timeUnixNano: ns(start),
        name: event.name,
        attributes: attributes(event.attributes),
        droppedAttributesCount: 0,
      }),
    ),
    links: [],
    resource: small.resource === undefined ? resource : { ...resource, attributes: attributes(small.resource) },
    scope: scopeOf(small.scope ?? 'demo', small.version ?? ''),
    traceState: '',
    flags: 0,
    droppedAttributesCount: small.dropped ?? 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function logsOf(small: SmallSpan): LogRecord[] {
  const { traceId: trace, spanId: id, startUnixNano, scope } = span(small);
  return (small.logs ?? []).map((log) => ({
    traceId: trace,
    spanId: id,
    timeUnixNano: startUnixNano,
    observedTimeUnixNano: startUnixNano,
    severityNumber: 0,
    severityText: '',
    eventName: log.name,
    body: log.body ?? null,
    attributes: attributes(log.attributes),
    scope,
    resource,
  }));
}

export function collected(spans: readonly SmallSpan[]): CollectedTrace[] {
  return [...buildTraces(spans.map(span), spans.flatMap(logsOf)).values()].map((trace) => ({
    trace,
    facts: { remote: false, ended: true, quiet: true, cut: false, losses: [] },
    completeness: { state: 'settled', reasons: [], expectedSpans: null },
  }));
}

export function runsOf(spans: readonly SmallSpan[], options: RunOptions = {}): readonly Run[] {
  return readRuns(collected(spans), options);
}

/** The one run of these spans. */
export function runOf(spans: readonly SmallSpan[], options: RunOptions = {}): Run {
  const runs = runsOf(spans, options);
  if (runs.length !== 1 || runs[0] === undefined) throw new Error(`expected one run, got ${runs.length}`);
  return runs[0];
}

export const agent: SmallSpan = {
  id: 1,
  name: 'invoke_agent helper',
  at: [0, 1000],
  attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' },
};

interface Asked {
  readonly id?: string;
  readonly name: string;
  readonly arguments?: unknown;
}

/** A model call of the current conventions. `asks` are its tool calls, `told` the results in its history. */
export function chat(
  id: number,
  more: {
    readonly asks?: readonly Asked[];
    readonly says?: string;
    readonly history?: readonly unknown[];
    readonly usage?: readonly [number, number];
    readonly extra?: Readonly<Record<string, unknown>>;
    readonly parent?: number | undefined;
    readonly content?: boolean;
  } & Partial<Omit<SmallSpan, 'parent'>> = {},
): SmallSpan {
  const { asks = [], says, history, usage, extra, content = true, parent = 1, ...rest } = more;
  const parts = [
    ...(says === undefined ? [] : [{ type: 'text', content: says }]),
    ...asks.map((call) => ({ type: 'tool_call', ...call })),
  ];
  return {
    id,
    parent,
    name: 'chat toy-1',
    ...rest,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'toy-1',
      'gen_ai.response.finish_reasons': [asks.length > 0 ? 'tool_calls' : 'stop'],
      ...(usage === undefined ? {} : { 'gen_ai.usage.input_tokens': usage[0], 'gen_ai.usage.output_tokens': usage[1] }),
      ...(content ? { 'gen_ai.output.messages': [{ role: 'assistant', parts }] } : {}),
      ...(history === undefined ? {} : { 'gen_ai.input.messages': history }),
      ...extra,
    },
  };
}

export function asked(...calls: readonly Asked[]): unknown {
  return { role: 'assistant', parts: calls.map((call) => ({ type: 'tool_call', ...call })) };
}

export function answered(
  id: string | undefined,
  response: unknown,
  more: Readonly<Record<string, unknown>> = {},
): unknown {
  return {
    role: 'tool',
    parts: [{ type: 'tool_call_response', ...(id === undefined ? {} : { id }), response, ...more }],
  };
}

/** A tool span of the current conventions. */
export function tool(
  id: number,
  name: string,
  more: {
    readonly call?: string;
    readonly args?: unknown;
    readonly result?: unknown;
    readonly extra?: Readonly<Record<string, unknown>>;
    readonly parent?: number | undefined;
  } & Partial<Omit<SmallSpan, 'parent'>> = {},
): SmallSpan {
  const { call, args, result, extra, parent = 1, ...rest } = more;
  return {
    id,
    parent,
    name: `execute_tool ${name}`,
    ...rest,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      ...(call === undefined ? {} : { 'gen_ai.tool.call.id': call }),
      ...(args === undefined ? {} : { 'gen_ai.tool.call.arguments': args }),
      ...(result === undefined ? {} : { 'gen_ai.tool.call.result': result }),
      ...extra,
    },
  };
}
