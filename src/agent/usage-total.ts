import type { Layer } from './layer.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { Run, Usage } from './run.ts';

const nothing: Usage = { input: null, output: null, cachedInput: null, reasoning: null };

/** The sum over logical model calls; where none of them reports, what the outermost agents say of their own totals. */
export function usageTotal(
  models: readonly LayeredModelCall[],
  layers: readonly Layer[],
  allModels: boolean,
): Run['usage'] {
  const told = models.map(({ usage }) => usage).filter((usage) => usage !== null);
  if (told.length > 0) {
    const silent = models.some((model) => model.usage === null && model.outcome !== 'failed');
    const partial =
      models.some(({ usageIsShort }) => usageIsShort) ||
      told.some(({ input, output }) => input === null || output === null);
    return { ...told.reduce(plus, nothing), coverage: silent || partial || !allModels ? 'part' : 'all' };
  }
  const totals = layers
    .filter((layer) => layer.kind === 'agent' && layer.parent === undefined)
    .map((layer) => layer.value('usage'));
  const known = totals.filter((usage) => usage !== undefined);
  if (known.length === 0) return { ...nothing, coverage: 'none' };
  return {
    ...known.reduce(plus, nothing),
    coverage: known.length === totals.length && models.length > 0 ? 'all' : 'part',
  };
}

function plus(a: Usage, b: Usage): Usage {
  return {
    input: add(a.input, b.input),
    output: add(a.output, b.output),
    cachedInput: add(a.cachedInput, b.cachedInput),
    reasoning: add(a.reasoning, b.reasoning),
  };
}

function add(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
