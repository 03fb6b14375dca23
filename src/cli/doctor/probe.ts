/**
 * Runs inside the user's process, before the app, and writes at its end what it sees of the SDK. It is text, so that it
 * can be handed to Node as a data URL and needs no file of ours to be found. It reads members that the SDKs keep to
 * themselves; where they are not there it says nothing.
 */
const source = `
import { writeFileSync } from 'node:fs';
import { subscribe } from 'node:diagnostics_channel';
const file = process.env.OTEL_EVAL_PROBE_FILE;
const exit = process.exit;
let exitCalled = false;
process.exit = function (code) { exitCalled = true; return Reflect.apply(exit, process, arguments); };
const spans = { seen: false, started: 0, recorded: 0, ended: 0, exported: 0, requests: 0 };
const isVisible = (exporter) => exporter && typeof exporter.export === 'function';
let hiddenExporters = 0;
const over = (object, name, wrap) => { const own = object[name]; object[name] = wrap(own.bind(object)); };
const watch = (provider) => {
  const active = provider && provider._activeSpanProcessor;
  if (!active || spans.seen) return;
  spans.seen = true;
  over(active, 'onStart', (own) => (...all) => { spans.recorded += 1; return own(...all); });
  over(active, 'onEnd', (own) => (...all) => { spans.ended += 1; return own(...all); });
  over(provider, 'getTracer', (own) => (...all) => {
    const tracer = own(...all);
    if (!Object.hasOwn(tracer, 'startSpan')) over(tracer, 'startSpan', (start) => (...given) => { spans.started += 1; return start(...given); });
    return tracer;
  });
  for (const one of active._spanProcessors || []) {
    if (!isVisible(one._exporter)) { hiddenExporters += 1; continue; }
    over(one._exporter, 'export', (own) => (sent, done) => own(sent, (result) => { if (result && result.code === 0) spans.exported += sent.length; done(result); }));
  }
};
try {
  const key = Symbol.for('opentelemetry.js.api.1');
  let known;
  Object.defineProperty(globalThis, key, { configurable: true, enumerable: true, get: () => known, set: (api) => {
    known = api;
    let proxy = api.trace;
    Object.defineProperty(api, 'trace', { configurable: true, enumerable: true, get: () => proxy, set: (given) => {
      proxy = given;
      if (given && given.setDelegate) over(given, 'setDelegate', (own) => (provider) => { try { watch(provider); } catch {} return own(provider); });
    } });
  } });
  subscribe('http.client.response.finish', ({ request }) => { if (request.method === 'POST' && /traces/.test(request.path)) spans.requests += 1; });
  subscribe('undici:request:trailers', ({ request }) => { if (request.method === 'POST' && /traces/.test(request.path)) spans.requests += 1; });
} catch {}
process.on('exit', () => {
  try {
    const api = globalThis[Symbol.for('opentelemetry.js.api.1')];
    const proxy = api && api.trace;
    const provider = proxy && (proxy._delegate || (proxy.getDelegate && proxy.getDelegate()) || proxy);
    const isNoop = !provider || /^(Noop|Proxy)TracerProvider$/.test(provider.constructor.name);
    const processors = isNoop ? [] : (provider._activeSpanProcessor && provider._activeSpanProcessor._spanProcessors) || [];
    const options = isNoop ? {} : provider._tracerOptions || provider._config || {};
    const pending = processors.reduce((sum, one) => sum + ((one._finishedSpans && one._finishedSpans.length) || (one._pendingExports && one._pendingExports.size) || 0), 0);
    writeFileSync(file, JSON.stringify({ provider: !isNoop, apiVersion: api ? api.version : null, processors: processors.length, sampler: options.sampler ? String(options.sampler) : null, pending, exitCalled, spans: spans.seen ? { ...spans, hiddenExporters } : null }));
  } catch {}
});
`;

/** What the probe saw when the app ended. */
export interface Probed {
  readonly provider: boolean;
  readonly apiVersion: string | null;
  readonly processors: number;
  readonly sampler: string | null;
  /** Spans that had ended and were not sent. */
  readonly pending: number;
  /** The app called `process.exit()`. */
  readonly exitCalled: boolean;
  /** Counts of spans; `null` where the provider keeps to itself what it does. */
  readonly spans: {
    readonly started: number;
    /** Those that the sampler let be recorded. */
    readonly recorded: number;
    readonly ended: number;
    /** Handed to an exporter that said it had sent them. */
    readonly exported: number;
    /** Requests with traces that were answered. */
    readonly requests: number;
    /** Processors whose exporter cannot be watched. */
    readonly hiddenExporters: number;
  } | null;
}

/** For `NODE_OPTIONS`: loads the probe before the app. */
export function probeOption(): string {
  return `--import data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
}
