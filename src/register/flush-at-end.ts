const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const longestFlushMs = 5_000;

/**
 * Flushes when the process comes to its end by itself or by a signal. A signal that nobody else listens to ends the
 * process as it would have, after the flush; where the app listens, its own handler decides. `process.exit()` leaves
 * no time to send anything: call `shutdown()` before it.
 */
export function flushAtEnd(shutdown: () => Promise<void>): () => void {
  let done: Promise<void> | undefined;
  const once = (): Promise<void> => {
    done ??= Promise.race([shutdown().catch(() => {}), pause(longestFlushMs)]);
    return done;
  };
  const beforeExit = (): void => void once();
  const onSignal = (signal: NodeJS.Signals): void => {
    const others = process.listenerCount(signal) - 1;
    void once().then(() => {
      if (others > 0) return;
      remove();
      process.kill(process.pid, signal);
    });
  };
  const remove = (): void => {
    process.off('beforeExit', beforeExit);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on('beforeExit', beforeExit);
  for (const signal of signals) process.on(signal, onSignal);
  return remove;
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs).unref());
}
