// Adds up what the runners counted and prints the closing line. Usage: node count.mjs RESULTS_FOLDER FAILED_STEPS
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps] = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };

const vitest = join(folder, 'vitest.json');
if (existsSync(vitest)) {
  const report = JSON.parse(readFileSync(vitest, 'utf8'));
  counts.passed += report.numPassedTests;
  counts.failed += report.numFailedTests + (report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0);
  counts.skipped += report.numPendingTests + (report.numTodoTests ?? 0);
}
const tap = join(folder, 'package.tap');
if (existsSync(tap)) {
  const text = readFileSync(tap, 'utf8');
  const number = (word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  counts.passed += number('pass');
  counts.failed += number('fail');
  counts.skipped += number('skipped');
}
// A step that failed without a failed test (lint, types, the cases) counts as one.
counts.failed = Math.max(counts.failed, Number(failedSteps));
if (counts.passed === 0) counts.failed = Math.max(counts.failed, 1);
console.log(
  `\n${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
process.exitCode = counts.failed === 0 ? 0 : 1;
