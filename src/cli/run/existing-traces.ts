import type { RunPlan } from '../../suite/run/run-plan.ts';
import type { Suite } from '../../suite/suite.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Invocation } from '../command.ts';

/** Options that only a target which is driven has a use for. */
const drivenOnly = ['resume', 'artifact', 'concurrency', 'bail', 'listen', 'plan', 'pilot', 'own-trace'];

/** The suite of a plan whose target is existing traces: its chosen scenarios, with traces and policy of the profile. */
export function suiteOfExistingTraces(
  { suite, scenarios, traces, profile }: RunPlan,
  options: Invocation['options'],
): Suite {
  const given = (flag: string): unknown => options[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  const useless = drivenOnly.find((flag) => ![undefined, false].includes(given(flag) as undefined));
  if (useless !== undefined) {
    throw new OtelEvalError(
      'OTEL_EVAL_USAGE',
      `--${useless} is for a target that is driven, and this suite judges existing traces`,
    );
  }
  const policy = profile === null ? undefined : suite.run?.profiles[profile]?.policy;
  return {
    ...suite,
    traces,
    scenarios: scenarios.map(({ scenario }) =>
      policy === undefined || scenario.run === undefined
        ? scenario
        : { ...scenario, run: { ...scenario.run, own: { ...scenario.run.own, policy } } },
    ),
  };
}
