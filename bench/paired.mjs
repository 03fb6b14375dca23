// Ratios of two pieces of work, taken in turns and in processor time, so that what else the machine does falls on both
// alike or on neither.

/** Milliseconds of processor time that `work` takes, garbage collection included; waiting for a busy machine is not. */
export function milliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median of `work` / `floor` over `rounds`, after `warmUp` rounds of both; `between` runs before each, untimed. */
export function pairedRatio({ work, floor, rounds = 31, warmUp = 5, between = () => {} }) {
  for (let i = 0; i < warmUp; i += 1) {
    floor();
    work();
  }
  const ratios = [];
  const floors = [];
  for (let i = 0; i < rounds; i += 1) {
    const first = i % 2 ? work : floor;
    const second = i % 2 ? floor : work;
    between();
    const a = milliseconds(first);
    between();
    const b = milliseconds(second);
    floors.push(i % 2 ? b : a);
    ratios.push(i % 2 ? a / b : b / a);
  }
  return { ratio: median(ratios), floorMs: median(floors) };
}

/** Bytes on the heap and beside it that `make()` leaves. Needs `--expose-gc`. */
export function bytesKept(make) {
  collect();
  const before = process.memoryUsage();
  const kept = make();
  collect();
  const after = process.memoryUsage();
  if (kept === undefined) throw new Error('nothing was kept');
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

export function collect() {
  for (let i = 0; i < 3; i += 1) globalThis.gc();
}
