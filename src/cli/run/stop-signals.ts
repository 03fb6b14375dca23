/** The signal of a run: aborted by Ctrl-C or a polite kill. A second one ends the process as usual. */
export function stopSignals(note: (text: string) => void): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    note('stopping: trials that are under way are dropped; --resume FILE would go on from here');
    controller.abort();
    release();
  };
  const release = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return { signal: controller.signal, release };
}
