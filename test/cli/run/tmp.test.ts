import { test } from 'vitest';
import { runOtelEval } from './run-otel-eval.ts';
test('x', async () => {
  let t = Date.now();
  const r = await runOtelEval(['run', 'fixtures/suites/flaky/flaky.suite.mjs', '--debug']);
  console.log(Date.now() - t, r.code, r.stdout, r.stderr); t = Date.now();
  const j = await runOtelEval(['run', 'fixtures/suites/flaky/flaky.suite.mjs', '--trials', '200', '--json', '--deterministic']);
  console.log(Date.now() - t, j.code, j.stdout.slice(0, 600), j.stderr);
});
