/** Time as polling needs it; tests inject one that takes no real time. */
export interface Clock {
  /** Milliseconds from any fixed point; never goes back. */
  nowMs(): number;
  /** Wall-clock milliseconds since 1970, for search windows only. */
  unixMs(): number;
  /** Ends after `ms`, or at once when `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    }),
};
