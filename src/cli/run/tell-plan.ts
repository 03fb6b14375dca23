import { estimateLines, estimatePlan } from '../../report/run/estimate-plan.ts';
import type { RunPlan } from '../../suite/run/run-plan.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Invocation } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { readReport } from '../merge.ts';
import { concurrencyOf } from './concurrency-of.ts';

/** Says what a run would do and cost; nothing is opened and nothing runs. */
export async function tellPlan(plan: RunPlan, options: Invocation['options'], context: Context): Promise<ExitCode> {
  if (options['lint'] === true) return (await import('./lint-faults.ts')).lintFaults(plan, options, context);
  if (options['json'] !== undefined || options['junit'] !== undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected --plan or a report, got both: a plan is not run');
  }
  const path = options['pilot'] as string | undefined;
  const pilot = path === undefined ? undefined : await readReport(path, context.cwd);
  const lines = estimateLines(estimatePlan(plan, concurrencyOf(plan, options), pilot));
  await context.write(`${lines.join('\n')}\n`);
  return 0;
}
