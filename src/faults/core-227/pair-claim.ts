export interface PairClaim {
  /** `causal` only where the prompts are the same and each route ran often enough. */
  readonly claim: 'exploratory' | 'route_comparison' | 'causal';
  readonly why: string;
}

/** What two routes side by side may be said to show. */
export function pairClaim(pair: { readonly samePrompts: boolean; readonly trialsPerRoute: number }): PairClaim {
  if (pair.trialsPerRoute < 2)
    return { claim: 'exploratory', why: 'one trial each shows neither superiority nor equivalence' };
  if (!pair.samePrompts)
    return { claim: 'route_comparison', why: 'the routes have different prompts: no cause is shown' };
  return { claim: 'causal', why: 'the same prompts, and only the route differs' };
}
