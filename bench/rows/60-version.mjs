import { join } from 'node:path';
import { childMs } from '../child-time.mjs';
import { median } from '../paired.mjs';

export const what = '`otel-eval --version`, against `node -e 0`';
export const budget = 2;

const main = join(import.meta.dirname, '../../dist/src/cli/main.js');

export function measure() {
  const ratios = [];
  const floors = [];
  for (let i = 0; i < 15; i += 1) {
    const [floor, work] = [childMs(['-e', '0']), childMs([main, '--version'])];
    ratios.push(work / floor);
    floors.push(floor);
  }
  return { value: median(ratios), note: `processor time; node -e 0: ${median(floors).toFixed(0)} ms` };
}
