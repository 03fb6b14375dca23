import pLimit from 'p-limit';
import { isDecided, policyVerdict } from '../policy/policy-verdict.ts';
import { countTrials } from '../policy/trial-counts.ts';
import type { TrialPolicy } from '../policy/trial-policy.ts';
import type { PlannedTrial } from './planned-trial.ts';
import type { TrialStatus } from './trial-status.ts';

/** What the scheduler must know of a finished trial. */
export interface Finished {
  readonly status: TrialStatus;
}

export interface RunTrialsOptions<Result extends Finished> {
  readonly concurrency: number;
  /** Stop starting trials once a scenario has failed: its policy can no longer be met. */
  readonly bail: boolean;
  /** Stopped from outside: no further trial starts. */
  readonly signal: AbortSignal;
  /** Of each scenario: what its trials must show, how many are planned in all, and whether to stop once that is decided. */
  readonly scenarios: ReadonlyMap<
    string,
    { readonly policy: TrialPolicy; readonly planned: number; readonly stopEarly: boolean }
  >;
  readonly run: (trial: PlannedTrial) => Promise<Result>;
  /** Finished before (resumed): they count, and are not run again. */
  readonly finished?: ReadonlyMap<PlannedTrial, Result>;
  /** Called as soon as a trial is finished, in order of finishing. */
  readonly onFinished?: (trial: PlannedTrial, result: Result) => void;
}

/** Runs trials, several at a time. What was not run is not in the answer; the rest stands in the order planned. */
export async function runTrials<Result extends Finished>(
  trials: readonly PlannedTrial[],
  options: RunTrialsOptions<Result>,
): Promise<Map<PlannedTrial, Result>> {
  const results = new Map<PlannedTrial, Result>();
  const stop = stopRule(options);
  const before = options.finished ?? new Map<PlannedTrial, Result>();
  for (const [trial, result] of before) stop.count(trial, result.status);
  const limit = pLimit(options.concurrency);
  await Promise.all(
    trials
      .filter((trial) => !before.has(trial))
      .map((trial) =>
        limit(async () => {
          if (options.signal.aborted || stop.applies(trial)) return;
          const result = await options.run(trial);
          // What was stopped in the middle shows nothing of the agent.
          if (options.signal.aborted) return;
          stop.count(trial, result.status);
          results.set(trial, result);
          options.onFinished?.(trial, result);
        }),
      ),
  );
  const inOrder = trials.flatMap((trial) => {
    const result = before.get(trial) ?? results.get(trial);
    return result === undefined ? [] : [[trial, result] as const];
  });
  return new Map(inOrder);
}

interface StopRule {
  count(trial: PlannedTrial, status: TrialStatus): void;
  applies(trial: PlannedTrial): boolean;
}

function stopRule({ bail, scenarios }: Pick<RunTrialsOptions<Finished>, 'bail' | 'scenarios'>): StopRule {
  const seen = new Map<string, TrialStatus[]>();
  let failed = false;
  return {
    count({ scenario }, status) {
      const statuses = seen.get(scenario);
      if (statuses === undefined) seen.set(scenario, [status]);
      else statuses.push(status);
      const rule = scenarios.get(scenario);
      if (rule === undefined || status !== 'failed') return;
      const counts = countTrials(seen.get(scenario) ?? [], rule.planned);
      failed ||= policyVerdict(rule.policy, counts).status === 'failed';
    },
    applies({ scenario }) {
      if (bail && failed) return true;
      const rule = scenarios.get(scenario);
      if (rule === undefined || !rule.stopEarly) return false;
      return isDecided(rule.policy, countTrials(seen.get(scenario) ?? [], rule.planned));
    },
  };
}
