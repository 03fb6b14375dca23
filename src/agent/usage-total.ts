import type { Layer } from './layer.ts';
import type { LayeredModelCall } from './model-calls.ts';
import type { Cost, Run, Usage } from './run.ts';
import type { Sight } from './visibility.ts';

const nothing: Usage = { input: null, output: null, cachedInput: null, reasoning: null };

/**
 * The sum over logical model calls; where none of them reports, what the outermost agents say of their own totals.
 * `sight` says whether every call of the run is here with its usage.
 */
export function usageTotal(models: readonly LayeredModelCall[], layers: readonly Layer[], sight: Sight): Run['usage'] {
  const told = models.map(({ usage }) => usage).filter((usage) => usage !== null);
  if (told.length > 0) {
    const short = models.some(({ usageIsShort }) => usageIsShort);
    const partial = told.some(({ input, output }) => input === null || output === null);
    return { ...sumOf(told), coverage: sight !== 'shown' || short || partial ? 'part' : 'all' };
  }
  const agents = layers.filter(({ kind, parent }) => kind === 'agent' && parent === undefined);
  const totals = agents.map((layer) => layer.value('usage')).filter((usage) => usage !== undefined);
  if (totals.length === 0) return { ...nothing, coverage: 'none' };
  const whole = totals.length === agents.length && agents.every(({ dialect }) => dialect.agentTotals === true);
  return { ...sumOf(totals), coverage: whole ? 'all' : 'part' };
}

function sumOf(usages: readonly Usage[]): Usage {
  let { input, output, cachedInput, reasoning } = nothing;
  for (const usage of usages) {
    input = add(input, usage.input);
    output = add(output, usage.output);
    cachedInput = add(cachedInput, usage.cachedInput);
    reasoning = add(reasoning, usage.reasoning);
  }
  return { input, output, cachedInput, reasoning };
}

function add(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

/** The same rule for what the trace says that they cost. Sums of several currencies are no sum. */
export function costTotal(models: readonly LayeredModelCall[], layers: readonly Layer[], sight: Sight): Run['cost'] {
  const told = models.map(({ cost }) => cost).filter((cost) => cost !== null);
  if (told.length > 0) return summed(told, sight === 'shown' && told.length === models.length);
  const agents = layers.filter(({ kind, parent }) => kind === 'agent' && parent === undefined);
  return summed(
    agents.map((layer) => layer.value('cost')).filter((cost) => cost !== undefined),
    false,
  );
}

function summed(costs: readonly Cost[], whole: boolean): Run['cost'] {
  const currencies = new Set(costs.map(({ currency }) => currency));
  const [currency = null] = currencies;
  if (costs.length === 0 || currencies.size > 1) return null;
  return { amount: costs.reduce((sum, { amount }) => sum + amount, 0), currency, coverage: whole ? 'all' : 'part' };
}
