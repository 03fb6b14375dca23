/** What came of work that had to end in time. */
export type InTime<Result> = { readonly inTime: true; readonly result: Result } | { readonly inTime: false };

/**
 * Runs work that gets a signal, and leaves it behind at its deadline, or when the outer signal is aborted. Cancelling is
 * cooperative: work that does not heed the signal runs on, and nobody listens to it any more.
 */
export async function beforeDeadline<Result>(
  deadlineMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<InTime<Result>> {
  const controller = new AbortController();
  let give: (value: { readonly inTime: false }) => void = () => {};
  const late = new Promise<{ readonly inTime: false }>((resolve) => {
    give = resolve;
  });
  const expire = (): void => {
    controller.abort();
    give({ inTime: false });
  };
  const timer = setTimeout(expire, deadlineMs);
  if (outer.aborted) expire();
  outer.addEventListener('abort', expire, { once: true });
  const done = work(controller.signal).then((result) => ({ inTime: true, result }) as const);
  // Whoever is left behind may still fail: not our business any more.
  done.catch(() => {});
  try {
    return await Promise.race([late, done]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', expire);
  }
}
