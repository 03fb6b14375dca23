// The bench table: `npm run bench [-- PART-OF-A-FILE-NAME …]`. Each file in rows/ is a row; add one to add a row.
// A row exports `what`, `budget` (what must not be passed; none for a figure to know), `unit` where it is no ratio, and
// `measure()`, which gives `{ value, note }`.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const wanted = process.argv.slice(2);
const folder = join(import.meta.dirname, 'rows');
const files = readdirSync(folder).filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
if (files.length === 0) {
  console.error('bench: no row of that name');
  process.exit(2);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}\n`);
console.log('| what | budget | measured | | |\n|---|---|---|---|---|');
let over = 0;
for (const file of files.sort()) {
  const flags = ['--expose-gc', '--max-old-space-size=8192'];
  const row = [join(import.meta.dirname, 'run-row.mjs'), join(folder, file)];
  const { what, budget, unit, value, note } = JSON.parse(
    execFileSync(process.execPath, [...flags, ...row], { encoding: 'utf8' }),
  );
  const held = budget === null || value <= budget;
  if (!held) over += 1;
  const bound = budget === null ? '' : `≤ ${budget} ${unit}`;
  console.log(
    `| ${what} | ${bound} | ${value.toFixed(2)} ${unit} | ${budget === null ? '' : held ? 'held' : '**over**'} | ${note} |`,
  );
}
process.exitCode = over === 0 ? 0 : 1;
