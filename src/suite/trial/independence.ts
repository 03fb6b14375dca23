/** What tells a trial apart from any other: its traces, and the ids that the model's servers gave to their answers. */
export interface TrialIdentity {
  readonly key: string;
  readonly traceIds: readonly string[];
  readonly responseIds: readonly string[];
}

/** Two trials that are not two. */
export interface Overlap {
  /** `trace`: one trace was counted twice. `response`: an answer came from a cache, so it is not a second sample. */
  readonly kind: 'trace' | 'response';
  readonly id: string;
  /** The other trials that hold it. */
  readonly others: readonly string[];
}

/** The trials that share a trace or a model's answer with another trial. None: they are independent as far as ids tell. */
export function overlapsOf(trials: readonly TrialIdentity[]): Map<string, Overlap[]> {
  const overlaps = new Map<string, Overlap[]>();
  const found = [
    ...shared('trace', trials, ({ traceIds }) => traceIds),
    ...shared('response', trials, ({ responseIds }) => responseIds),
  ];
  for (const { kind, id, keys } of found) {
    for (const key of keys) {
      const others = keys.filter((other) => other !== key);
      overlaps.set(key, [...(overlaps.get(key) ?? []), { kind, id, others }]);
    }
  }
  return overlaps;
}

function shared(
  kind: Overlap['kind'],
  trials: readonly TrialIdentity[],
  idsOf: (trial: TrialIdentity) => readonly string[],
): { readonly kind: Overlap['kind']; readonly id: string; readonly keys: readonly string[] }[] {
  const holders = new Map<string, Set<string>>();
  for (const trial of trials) {
    for (const id of idsOf(trial)) {
      const keys = holders.get(id) ?? new Set();
      holders.set(id, keys.add(trial.key));
    }
  }
  return [...holders].filter(([, keys]) => keys.size > 1).map(([id, keys]) => ({ kind, id, keys: [...keys] }));
}
