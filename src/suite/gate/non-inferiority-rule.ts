import { binomialProbability } from '../../statistics/binomial-probability.ts';
import { bootstrap } from '../../statistics/bootstrap.ts';
import { mean } from '../../statistics/mean.ts';
import { type Random, randomIndex, seededRandom } from '../../statistics/random.ts';
import type { GateRules } from './gate-rules.ts';
import type { GateFinding } from './gate-verdict.ts';
import type { Alarm } from './regression-rule.ts';
import type { ScenarioPair } from './scenario-rates.ts';

/** Below so many scenarios the bootstrap over them is only allowed where the rules say so. */
export const fewestClusters = 20;
const draws = 2_000;

/**
 * The release must be shown to be no worse than the baseline by more than the margin: mean difference of the scenarios'
 * pass rates, scenarios drawn whole. "No difference was found" is not enough. Never a failure: see `inferiorityAlarm`.
 */
export function nonInferiorityFinding(
  pairs: readonly ScenarioPair[],
  rules: GateRules,
  seed: number,
): GateFinding | null {
  if (rules.nonInferiority === undefined) return null;
  const { margin, approximate } = rules.nonInferiority;
  const finding = { rule: 'non-inferiority', subject: null };
  const fewest = approximate ? 2 : fewestClusters;
  if (pairs.length < fewest) {
    const allowed = approximate ? '' : '; "approximate: true" allows fewer';
    const message = `a claim over scenarios needs at least ${fewest} of them, got ${pairs.length}${allowed}`;
    return { ...finding, decision: 'INSUFFICIENT_EVIDENCE', message };
  }
  const lower = lowerBound(pairs, rules.alpha, seededRandom(seed));
  const observed = mean(pairs.map(difference));
  const confidence = `${Number(((1 - rules.alpha) * 100).toPrecision(6))} %`;
  const told = `mean difference ${signed(observed)}, at least ${signed(lower)} with ${confidence} confidence`;
  if (lower > -margin) return { ...finding, decision: 'PASS', message: `within the margin of ${margin}: ${told}` };
  const further = runsNeeded(pairs, observed - lower, observed + margin);
  return {
    ...finding,
    decision: 'INSUFFICIENT_EVIDENCE',
    message: `not shown to be within the margin of ${margin}: ${told}`,
    ...(further === null ? {} : { furtherRuns: further }),
  };
}

/** Alarms when the suite as a whole is shown to be worse by more than the margin. */
export function inferiorityAlarm(pairs: readonly ScenarioPair[], rules: GateRules, seed: number): Alarm | null {
  if (rules.nonInferiority === undefined || pairs.length < 2) return null;
  const { margin } = rules.nonInferiority;
  const random = seededRandom(seed + 1);
  const differences = pairs.map(difference);
  let within = 1;
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (let at = 0; at < differences.length; at += 1) sum += differences[randomIndex(random, differences.length)] ?? 0;
    if (sum / differences.length >= -margin) within += 1;
  }
  return {
    p: within / (draws + 1),
    finding(p, alarmed) {
      const told = `mean difference ${signed(mean(differences))}, margin ${margin}`;
      const message = alarmed
        ? `worse than the baseline by more than the margin: ${told}`
        : `not shown to be worse: ${told}`;
      return { rule: 'inferiority', subject: null, decision: alarmed ? 'FAIL' : 'PASS', message, p };
    },
  };
}

/**
 * One-sided lower bound. The trials of a drawn scenario are drawn anew too, around rates that are never exactly 0 or 1:
 * one trial that passed before and now is no certainty, though it shows no spread.
 */
function lowerBound(pairs: readonly ScenarioPair[], alpha: number, random: Random): number {
  const samplers = pairs.map(({ before, after }) => [rateSampler(before, random), rateSampler(after, random)] as const);
  const interval = bootstrap(samplers, (sample) => mean(sample.map(([before, after]) => after() - before())), {
    random,
    resamples: draws,
    confidence: 1 - 2 * alpha,
  });
  return interval?.lower ?? Number.NEGATIVE_INFINITY;
}

/** Draws rates of so many trials, by one random number each: the first count whose cumulative probability is above it. */
function rateSampler({ successes, trials }: ScenarioPair['after'], random: Random): () => number {
  const rate = (successes + 0.5) / (trials + 1);
  const cumulative: number[] = [];
  for (let count = 0; count <= trials; count += 1) {
    cumulative.push((cumulative[count - 1] ?? 0) + binomialProbability(count, trials, rate));
  }
  return () => {
    const share = random.nextUint32() / 2 ** 32;
    let low = 0;
    let high = trials;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 1) > share) high = middle;
      else low = middle + 1;
    }
    return low / trials;
  };
}

function difference({ before, after }: ScenarioPair): number {
  return after.successes / after.trials - before.successes / before.trials;
}

/** The half-width shrinks with the square root of the runs; `null` where the observed difference itself is too low. */
function runsNeeded(pairs: readonly ScenarioPair[], halfWidth: number, room: number): number | null {
  if (room <= 0) return null;
  const runs = pairs.reduce((sum, { after }) => sum + after.trials, 0);
  return Math.max(1, Math.ceil(runs * ((halfWidth / room) ** 2 - 1)));
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
