import type { GateReport, GateScenario, GateStatus } from '../../../src/suite/gate/gate-report.ts';
import { policyVerdict } from '../../../src/suite/policy/policy-verdict.ts';
import { countTrials } from '../../../src/suite/policy/trial-counts.ts';
import { policyText, type TrialPolicy } from '../../../src/suite/policy/trial-policy.ts';
import type { TrialStatus } from '../../../src/suite/trial/trial-status.ts';

/** `ppf` is three trials, two passed, one failed; `p*40` is forty passed ones. */
export function statusesOf(text: string): TrialStatus[] {
  const words: Readonly<Record<string, TrialStatus>> = {
    p: 'passed',
    f: 'failed',
    i: 'inconclusive',
    e: 'error',
    u: 'unavailable',
  };
  return text
    .replace(/(\w)\*(\d+)/g, (_, letter: string, times: string) => letter.repeat(Number(times)))
    .split('')
    .flatMap((letter) => words[letter] ?? []);
}

export interface MadeScenario {
  readonly trials: string;
  readonly policy?: TrialPolicy;
  readonly measures?: Readonly<Record<string, readonly (number | null)[]>>;
  readonly planned?: number;
}

export function madeReport(
  scenarios: Readonly<Record<string, MadeScenario>>,
  changes: Partial<Omit<GateReport, 'plan'>> & { readonly plan?: Partial<GateReport['plan']> } = {},
): GateReport {
  const { plan, ...rest } = changes;
  return {
    version: '1.0.0',
    suite: 'refunds',
    plan: {
      hash: 'plan-1',
      corpus: 'corpus-1',
      profile: 'live',
      seed: 41,
      models: ['scripted-1'],
      artifact: null,
      shard: null,
      ...plan,
    },
    applicability: [],
    scenarios: Object.entries(scenarios).map(([name, made]) => madeScenario(name, made)),
    ...rest,
  };
}

function madeScenario(
  name: string,
  { trials, policy = { kind: 'passes', passes: 1 }, measures = {}, planned }: MadeScenario,
): GateScenario {
  const statuses = statusesOf(trials);
  const count = planned ?? statuses.length;
  return {
    name,
    status: policyVerdict(policy, countTrials(statuses, count)).status as GateStatus,
    planned: count,
    policy: policyText(policy, count),
    trials: statuses.map((status, at) => ({
      index: at + 1,
      status,
      measures: Object.fromEntries(Object.entries(measures).map(([key, values]) => [key, values[at] ?? null])),
    })),
  };
}
