export interface SpanSketch {
  /** One hex digit, repeated. */
  readonly trace: string;
  readonly span: number;
  readonly parent?: number;
  readonly name?: string;
  readonly run?: string;
  /** Fills up the span with so many characters. */
  readonly padding?: number;
}

export function spanIdOf(span: number): string {
  return span.toString(16).padStart(16, '0');
}

export function traceIdOf(trace: string): string {
  return trace.length === 32 ? trace : trace.repeat(32).slice(0, 32);
}

function otlpSpan({ trace, span, parent, name, run, padding = 0 }: SpanSketch): object {
  const attributes = [
    ...(run === undefined ? [] : [{ key: 'otel_eval.run.id', value: { stringValue: run } }]),
    ...(padding === 0 ? [] : [{ key: 'padding', value: { stringValue: 'x'.repeat(padding) } }]),
  ];
  return {
    traceId: traceIdOf(trace),
    spanId: spanIdOf(span),
    ...(parent === undefined ? {} : { parentSpanId: spanIdOf(parent) }),
    name: name ?? `span ${span}`,
    kind: 1,
    startTimeUnixNano: String(1_760_000_000_000_000_000n + BigInt(span) * 1_000n),
    endTimeUnixNano: String(1_760_000_000_000_000_500n + BigInt(span) * 1_000n),
    attributes,
    status: {},
  };
}

/** One request as an object. */
export function request(...spans: readonly SpanSketch[]): object {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'demo' }, spans: spans.map(otlpSpan) }] }] };
}

/** One request as one line, without a line end. */
export function line(...spans: readonly SpanSketch[]): string {
  return JSON.stringify(request(...spans));
}

/** One log record of a trace, or of none, as one line. */
export function logLine(trace: string, span = 0): string {
  const record = {
    timeUnixNano: '1760000000000000000',
    body: { stringValue: 'hello' },
    ...(trace === '' ? {} : { traceId: traceIdOf(trace) }),
    ...(span === 0 ? {} : { spanId: spanIdOf(span) }),
  };
  return JSON.stringify({ resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords: [record] }] }] });
}
