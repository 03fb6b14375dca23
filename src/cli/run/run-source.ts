import type { RunPlan } from '../../suite/run/run-plan.ts';
import type { Target } from '../../suite/target/target.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { LoadedConfig } from '../config-file.ts';
import type { Context } from '../context.ts';
import { type SourceSettings, sourceSettings } from '../source-settings.ts';

export interface RunSourceGivens {
  readonly options: Readonly<Record<string, unknown>>;
  readonly config: LoadedConfig;
  readonly plan: RunPlan;
  readonly target: Target;
}

/** Where the traces of a run are; by default where such a target sends them by itself. */
export function runSource({ options, config, plan, target }: RunSourceGivens, context: Context): SourceSettings {
  const bySelf = target.kind === 'function' ? 'memory' : 'otlp';
  const traces = { ...plan.traces, source: plan.traces.source ?? bySelf };
  const settings = sourceSettings({ options, config, suite: { ...plan.suite, traces } }, context);
  if (Object.keys(settings.projections).length === 0) return settings;
  throw new OtelEvalError('OTEL_EVAL_USAGE', 'traces.projections are read where existing traces are judged', {
    source: 'traces.projections',
    hint: 'judge by "otel-eval check", or with target: traces',
  });
}
