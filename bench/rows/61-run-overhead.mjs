import { join } from 'node:path';
import { runCommandLine } from '../../dist/src/cli/command-line.js';
import { median } from '../paired.mjs';

export const what = '`otel-eval run` of a function that answers at once: overhead of a trial';
export const budget = 2;
export const unit = 'ms';

const suite = join(import.meta.dirname, '../trivial.suite.mjs');

function context() {
  return {
    cwd: import.meta.dirname,
    env: {},
    stdin: (async function* () {})(),
    now: () => Date.now(),
    write: async () => {},
    note: () => {},
    echo: () => {},
    untilStopped: () => new Promise(() => {}),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 80,
  };
}

async function run(trials) {
  const before = process.cpuUsage();
  const start = process.hrtime.bigint();
  const code = await runCommandLine(['run', suite, '--trials', String(trials), '--json', '--quiet'], context());
  if (code !== 0) throw new Error(`exit ${code}`);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e3, clock: Number(process.hrtime.bigint() - start) / 1e6 };
}

export async function measure() {
  await run(200);
  const [cpu, clock] = [[], []];
  for (let i = 0; i < 7; i += 1) {
    const [few, many] = [await run(20), await run(220)];
    cpu.push((many.cpu - few.cpu) / 200);
    clock.push((many.clock - few.clock) / 200);
  }
  return { value: median(cpu), note: `processor time; by the clock ${median(clock).toFixed(2)} ms` };
}
