/**
 * Runs inside the user's process, before the app, and writes at its end what it sees of the SDK. It is text, so that it
 * can be handed to Node as a data URL and needs no file of ours to be found. It reads members that the SDKs keep to
 * themselves; where they are not there it says nothing.
 */
const source = `
import { writeFileSync } from 'node:fs';
const file = process.env.OTEL_EVAL_PROBE_FILE;
const exit = process.exit;
let exitCalled = false;
process.exit = function (code) { exitCalled = true; return Reflect.apply(exit, process, arguments); };
process.on('exit', () => {
  try {
    const api = globalThis[Symbol.for('opentelemetry.js.api.1')];
    const proxy = api && api.trace;
    const provider = proxy && (proxy._delegate || (proxy.getDelegate && proxy.getDelegate()) || proxy);
    const isNoop = !provider || /^(Noop|Proxy)TracerProvider$/.test(provider.constructor.name);
    const processors = isNoop ? [] : (provider._activeSpanProcessor && provider._activeSpanProcessor._spanProcessors) || [];
    const options = isNoop ? {} : provider._tracerOptions || provider._config || {};
    const pending = processors.reduce((sum, one) => sum + ((one._finishedSpans && one._finishedSpans.length) || (one._pendingExports && one._pendingExports.size) || 0), 0);
    writeFileSync(file, JSON.stringify({ provider: !isNoop, apiVersion: api ? api.version : null, processors: processors.length, sampler: options.sampler ? String(options.sampler) : null, pending, exitCalled }));
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
}

/** For `NODE_OPTIONS`: loads the probe before the app. */
export function probeOption(): string {
  return `--import data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
}
