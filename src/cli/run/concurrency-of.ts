import { cpus } from 'node:os';
import type { RunPlan } from '../../suite/run/run-plan.ts';
import type { Invocation } from '../command.ts';

/** Trials at once: the flag, else the profile's, else up to four. */
export function concurrencyOf({ concurrency }: RunPlan, options: Invocation['options']): number {
  return (options['concurrency'] as number | undefined) ?? concurrency ?? Math.min(4, cpus().length * 2);
}
