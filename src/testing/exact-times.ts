import type { HrTime } from '../../collectors/memory/sdk-span.ts';

interface TimedSpan {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  spanContext(): { readonly spanId: string };
}

const nanosPerSecond = 1_000_000_000n;
const clockStepNanos = 1_000_000n;
/** Between the making of a span and the call of its processor: a garbage collection, a busy machine. */
const longestPauseNanos = 250n * clockStepNanos;
// Taken when the module loads: the fake timers of a test must not stop this clock.
const monotonicNanos = process.hrtime.bigint;
const unixMs = Date.now;

/**
 * The SDK writes start times in whole milliseconds, so of quick calls it does not tell which was first, or whether one had
 * ended when the next began. In this process that is known: spans are timed again as they come by. A time changes by less
 * than the millisecond that was cut off, or not at all.
 */
export class ExactTimes {
  #base: bigint = BigInt(unixMs()) * clockStepNanos - monotonicNanos();
  readonly #starts = new Map<string, bigint>();

  started(span: TimedSpan): void {
    const start = nanosOf(span.startTime);
    let now = this.#base + monotonicNanos();
    if (start > now && start - now < longestPauseNanos) {
      // The base too was cut off to a millisecond, and may have come late; now more is known of it.
      this.#base += start - now;
      now = start;
    }
    if (start % clockStepNanos !== 0n || now < start || now - start > longestPauseNanos) return;
    const latest = start + clockStepNanos - 1n;
    this.#starts.set(span.spanContext().spanId, now < latest ? now : latest);
  }

  /** Start and end of a span that has just ended; `undefined` where nothing better is known than what stands on it. */
  ended(span: TimedSpan): { readonly startTime: HrTime; readonly endTime: HrTime } | undefined {
    const { spanId } = span.spanContext();
    const start = this.#starts.get(spanId);
    this.#starts.delete(spanId);
    if (start === undefined) return undefined;
    const now = this.#base + monotonicNanos();
    const end = nanosOf(span.endTime) + start - nanosOf(span.startTime);
    const isNow = now >= start && now - end < clockStepNanos && end - now < clockStepNanos;
    return { startTime: hrTimeOf(start), endTime: hrTimeOf(isNow ? now : end) };
  }
}

function nanosOf([seconds, nanos]: HrTime): bigint {
  return BigInt(seconds) * nanosPerSecond + BigInt(Math.trunc(nanos));
}

function hrTimeOf(nanos: bigint): HrTime {
  return [Number(nanos / nanosPerSecond), Number(nanos % nanosPerSecond)];
}
