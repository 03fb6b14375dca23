import { seededRandom } from '../../statistics/random.ts';

/** One trial to come. */
export interface PlannedTrial {
  readonly scenario: string;
  /** 1-based, within its scenario. */
  readonly index: number;
  readonly seed: number;
}

/** The same trial in the journal, in another shard and after a resume. */
export function trialKey({ scenario, index }: Pick<PlannedTrial, 'scenario' | 'index'>): string {
  return `${scenario}#${index}`;
}

/** The seed of one trial: from the seed of the run, its scenario and its number, so that it can be run again alone. */
export function trialSeed(runSeed: number, scenario: string, index: number): number {
  let hash = 0x811c9dc5;
  for (const unit of `${scenario}#${index}`) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  return seededRandom((runSeed ^ hash) >>> 0).nextUint32();
}

/** All trials of a run, scenario by scenario. */
export function planTrials(
  scenarios: readonly { readonly name: string; readonly trials: number }[],
  runSeed: number,
): PlannedTrial[] {
  return scenarios.flatMap(({ name, trials }) =>
    Array.from({ length: trials }, (_, at) => ({
      scenario: name,
      index: at + 1,
      seed: trialSeed(runSeed, name, at + 1),
    })),
  );
}
