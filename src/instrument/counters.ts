import type { Meter } from '@opentelemetry/api';

/** What the processor did since it was made. */
export interface Counters {
  /** Spans that ended. */
  seen: number;
  /** Values that were withheld or cut to their metadata. */
  withheld: number;
  /** Credentials taken out, in content mode and from kept values. */
  redacted: number;
  /** Values shortened or left out for the byte ceiling, in content mode. */
  truncated: number;
  /** Spans dropped because the queue before an exporter was full. */
  dropped: number;
  /** Failures of our own, of a processor or of an exporter behind us; the span still went on where that was possible. */
  failed: number;
}

export function newCounters(): Counters {
  return { seen: 0, withheld: 0, redacted: 0, truncated: 0, dropped: 0, failed: 0 };
}

/** Reports the counters through a meter of the app: `otel_eval.spans.seen`, `otel_eval.values.withheld`, … */
export function observeCounters(meter: Meter, counters: Counters): void {
  const names: Readonly<Record<keyof Counters, string>> = {
    seen: 'otel_eval.spans.seen',
    withheld: 'otel_eval.values.withheld',
    redacted: 'otel_eval.values.redacted',
    truncated: 'otel_eval.values.truncated',
    dropped: 'otel_eval.spans.dropped',
    failed: 'otel_eval.failures',
  };
  for (const [counter, name] of Object.entries(names) as [keyof Counters, string][]) {
    meter.createObservableCounter(name).addCallback((result) => result.observe(counters[counter]));
  }
}
