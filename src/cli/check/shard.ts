import type { Suite } from '../../suite/suite.ts';
import { parseShard } from '../../suite/trial/shard.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/**
 * Every n-th scenario of a suite, from the i-th: `2/4` keeps the second, the sixth and so on. Scenarios are shared out,
 * not traces, so that each run is judged whole wherever it is judged.
 */
export function shardOf(suite: Suite, text: string | undefined): Suite {
  if (text === undefined) return suite;
  const { index, count } = parseShard(text);
  const scenarios = suite.scenarios.filter((_, i) => i % count === index - 1);
  if (scenarios.length > 0) return { ...suite, scenarios };
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `shard ${text} holds no scenario: the suite has ${suite.scenarios.length}`,
    {
      source: '--shard',
      hint: 'use at most as many shards as there are scenarios',
    },
  );
}
