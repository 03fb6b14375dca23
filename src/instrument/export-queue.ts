import { context, createContextKey, TraceFlags } from '@opentelemetry/api';
import type { Counters } from './counters.ts';
import type { ReadableSpan, SpanExporter, SpanProcessor } from './sdk-shapes.ts';

const longestQueue = 2_048;
const batchSize = 512;
const delayMs = 5_000;
const exportTimeoutMs = 30_000;
const success = 0;

// The name under which the SDK knows that a call is its own and must not be traced.
const suppressed = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/**
 * Puts a bounded queue before an exporter, with the defaults of the SDK's batch processor. A full queue drops and
 * counts; an exporter that throws, fails or hangs costs its batch and no more.
 */
export function exportQueue(exporter: SpanExporter, counters: Counters): SpanProcessor {
  const queue: ReadableSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  const exportNext = (): Promise<void> => {
    const batch = queue.splice(0, batchSize);
    return batch.length === 0 ? Promise.resolve() : exportBatch(exporter, batch, counters);
  };
  const drain = async (): Promise<void> => {
    while (queue.length > 0) await exportNext();
  };
  const start = (): void => {
    timer = undefined;
    running ??= exportNext().finally(() => {
      running = undefined;
      if (queue.length >= batchSize) start();
      else if (queue.length > 0) schedule();
    });
  };
  const schedule = (): void => {
    timer ??= setTimeout(start, delayMs).unref();
  };

  return {
    onStart: () => {},
    onEnd: (span) => {
      if (closed !== undefined || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (queue.length >= longestQueue) {
        counters.dropped++;
        return;
      }
      queue.push(span);
      if (queue.length >= batchSize) start();
      else schedule();
    },
    forceFlush: async () => {
      await running;
      await drain();
      await exporter.forceFlush?.();
    },
    shutdown: () => {
      closed ??= (async () => {
        clearTimeout(timer);
        await running;
        await drain();
        await exporter.shutdown();
      })();
      return closed;
    },
  };
}

function exportBatch(exporter: SpanExporter, batch: ReadableSpan[], counters: Counters): Promise<void> {
  return new Promise((resolve) => {
    const done = (ok: boolean): void => {
      clearTimeout(deadline);
      if (!ok) counters.failed++;
      resolve();
    };
    const deadline = setTimeout(() => done(false), exportTimeoutMs).unref();
    const send = (): void => exporter.export(batch, ({ code }) => done(code === success));
    try {
      context.with(context.active().setValue(suppressed, true), send);
    } catch {
      done(false);
    }
  });
}
