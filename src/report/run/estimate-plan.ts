import { runsToSee } from '../../statistics/sample-size.ts';
import { unseenRate } from '../../statistics/unseen-rate.ts';
import { planControls } from '../../suite/run/plan-controls.ts';
import type { RunPlan } from '../../suite/run/run-plan.ts';
import { durationText } from '../duration-text.ts';
import type { Report } from '../report.ts';

/** What a plan will cost. Tokens and expected time are known only from a pilot: an earlier report of the same agent. */
export interface PlanEstimate {
  readonly scenarios: number;
  readonly trials: number;
  /** Of these: runs of faulted tasks without their faults. */
  readonly controls: number;
  readonly concurrency: number;
  /** Rounds of trials one after the other. */
  readonly waves: number;
  /** If every trial ran to its timeout. */
  readonly longestMs: number;
  /** The smallest number of trials that a scenario gets. */
  readonly fewestTrials: number;
  readonly pilot: PilotFigures | null;
}

export interface PilotFigures {
  readonly trials: number;
  /** Mean of a trial, by its spans. */
  readonly durationMs: number | null;
  /** Mean of a trial that tells its usage; `null` where none does. */
  readonly tokens: number | null;
  readonly expectedMs: number | null;
  readonly expectedTokens: number | null;
}

/** Running more at once changes the time, not the tokens. */
export function estimatePlan(plan: RunPlan, concurrency: number, pilot: Report | undefined): PlanEstimate {
  const controls = planControls(plan, plan.trials).reduce((sum, { trials: own }) => sum + own.length, 0);
  const trials = plan.trials.length + controls;
  const timeouts = new Map(plan.scenarios.map(({ scenario, timeoutMs }) => [scenario.name, timeoutMs]));
  const longest = plan.trials.map(({ scenario }) => timeouts.get(scenario) ?? 0).sort((a, b) => b - a);
  // Longest first, each wave lasts as long as its first trial.
  const longestMs = longest.reduce((sum, timeoutMs, at) => (at % concurrency === 0 ? sum + timeoutMs : sum), 0);
  const waves = Math.ceil(trials / concurrency);
  return {
    scenarios: plan.scenarios.length,
    trials,
    controls,
    concurrency,
    waves,
    longestMs,
    fewestTrials: Math.min(...plan.scenarios.map(({ planned }) => planned)),
    pilot: pilot === undefined ? null : pilotFigures(pilot, trials, waves),
  };
}

function pilotFigures(pilot: Report, trials: number, waves: number): PilotFigures {
  const ran = pilot.scenarios.flatMap((scenario) => scenario.trials);
  const durationMs = meanOf(ran.flatMap((trial) => trial.durationMs ?? []));
  const tokens = meanOf(
    ran.flatMap(({ measures = {} }) => {
      const [input, output] = [measures['inputTokens'] ?? null, measures['outputTokens'] ?? null];
      return input === null || output === null ? [] : [input + output];
    }),
  );
  return {
    trials: ran.length,
    durationMs,
    tokens,
    expectedMs: durationMs === null ? null : durationMs * waves,
    expectedTokens: tokens === null ? null : Math.round(tokens * trials),
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The estimate as people read it. */
export function estimateLines(estimate: PlanEstimate): string[] {
  const { scenarios, trials, controls, concurrency, waves, longestMs, fewestTrials, pilot } = estimate;
  const unseen = Number((unseenRate(fewestTrials) * 100).toPrecision(2));
  return [
    `trials   ${trials} in ${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}${controls === 0 ? '' : `, ${controls} of them without a fault, to compare with`}; ${concurrency} at once: ${waves} ${waves === 1 ? 'wave' : 'waves'}`,
    `time     at most ${durationText(longestMs)}, if every trial ran to its timeout${expectedTime(pilot)}`,
    `tokens   ${expectedTokens(pilot)}`,
    `shows    ${fewestTrials} ${fewestTrials === 1 ? 'trial' : 'trials'} of a scenario rather miss a failure in less than ${unseen} % of runs; ${runsToSee(0.05)} see one in 20`,
  ];
}

function expectedTime(pilot: PilotFigures | null): string {
  if (pilot?.expectedMs === null || pilot === null) return '';
  return `; about ${durationText(pilot.expectedMs)} by the pilot (${durationText(pilot.durationMs ?? 0)} a trial)`;
}

function expectedTokens(pilot: PilotFigures | null): string {
  if (pilot === null) return 'unknown: give an earlier report of this agent with --pilot FILE';
  if (pilot.tokens === null || pilot.expectedTokens === null) return 'unknown: no trial of the pilot tells its usage';
  const mean = Math.round(pilot.tokens).toLocaleString('en-US');
  return `about ${pilot.expectedTokens.toLocaleString('en-US')} by the pilot (${pilot.trials} trials, ${mean} each), however many run at once`;
}
