/** `1.24 s`, `0.03 s`, `2.1 ms`, `12 µs`, `3 min 20 s`: as precise as a reader can use. */
export function durationText(durationMs: number): string {
  if (durationMs >= 120_000)
    return `${Math.floor(durationMs / 60_000)} min ${Math.floor((durationMs % 60_000) / 1000)} s`;
  if (durationMs >= 10) return `${(durationMs / 1000).toFixed(2)} s`;
  if (durationMs >= 0.1) return `${durationMs.toFixed(1)} ms`;
  return `${Math.round(durationMs * 1000)} µs`;
}
