import type { EffectFact } from './faulted-run.ts';

/** What the ledger says when all is counted. */
export interface EffectBalance {
  /** Effects that stand at the end, by tool. */
  readonly standing: ReadonlyMap<string, number>;
  /** Some business key stands more than once. */
  readonly duplicate: boolean;
  /** Tries beyond the first of a business key, rejected ones included. */
  readonly duplicateAttempts: number;
  /** A second try was turned away, or answered with the first one's result. */
  readonly saved: boolean;
}

/** Counts effects by tool and business key; what was undone does not stand. */
export function effectBalance(effects: readonly EffectFact[]): EffectBalance {
  const perKey = new Map<string, { tool: string; standing: number; tries: number; rejected: number }>();
  for (const { tool, identity, state } of effects) {
    const key = String(identity);
    const seen = perKey.get(key) ?? { tool, standing: 0, tries: 0, rejected: 0 };
    if (state === 'undone') seen.standing = Math.max(0, seen.standing - 1);
    else seen.tries += 1;
    if (state === 'committed') seen.standing += 1;
    if (state === 'rejected') seen.rejected += 1;
    perKey.set(key, seen);
  }
  const standing = new Map<string, number>();
  for (const each of perKey.values()) {
    if (each.standing > 0) standing.set(each.tool, (standing.get(each.tool) ?? 0) + each.standing);
  }
  const keys = [...perKey.values()];
  return {
    standing,
    duplicate: keys.some((each) => each.standing > 1),
    duplicateAttempts: keys.reduce((sum, { tries }) => sum + Math.max(0, tries - 1), 0),
    saved: keys.some((each) => each.rejected > 0 && each.standing === 1),
  };
}
