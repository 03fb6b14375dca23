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

/**
 * Medians of `work` / `floor` over `rounds`, in processor time (`ratio`) and by the clock (`clock`, of use on a quiet
 * machine only), after `warmUp` rounds of both.
 */
export function pairedRatio({ work, floor, rounds = 31, warmUp = 20 }) {
  for (let i = 0; i < warmUp; i += 1) {
    floor();
    work();
  }
  const [ratios, clocks, floors] = [[], [], []];
  for (let i = 0; i < rounds; i += 1) {
    const times = {};
    for (const which of i % 2 ? ['work', 'floor'] : ['floor', 'work']) {
      const start = process.hrtime.bigint();
      const cpu = milliseconds(which === 'work' ? work : floor);
      times[which] = { cpu, clock: Number(process.hrtime.bigint() - start) };
    }
    ratios.push(times.work.cpu / times.floor.cpu);
    clocks.push(times.work.clock / times.floor.clock);
    floors.push(times.floor.cpu);
  }
  return { ratio: median(ratios), clock: median(clocks).toFixed(2), floorMs: median(floors) };
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
