import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/** One part of a run; `index` from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** `2/4` → the second of four parts. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected --shard i/n with 1 ≤ i ≤ n, got ${text.slice(0, 20)}`);
}

/** Every n-th, so that the trials of a scenario spread evenly; together the parts are the whole, each item once. */
export function shardOf<Item>(items: readonly Item[], { index, count }: Shard): Item[] {
  return items.filter((_, at) => at % count === index - 1);
}
