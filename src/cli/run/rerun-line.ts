import type { RunPlan } from '../../suite/run/run-plan.ts';
import type { TrialOutcome } from '../../suite/run/trial-outcome.ts';
import { shellWord } from '../shell-word.ts';

/** The command line that runs one trial again: same scenario, same seed. */
export function rerunTrialLine(suitePath: string, plan: RunPlan, { planned }: TrialOutcome): string {
  const words = [
    'otel-eval',
    'run',
    suitePath,
    ...(plan.profile === null ? [] : ['--profile', plan.profile]),
    '--scenario',
    planned.scenario,
    '--trial',
    String(planned.index),
    '--seed',
    String(plan.seed),
  ];
  return words.map(shellWord).join(' ');
}
