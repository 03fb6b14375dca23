import type { Json, Outcome, Run, ToolCall } from '../../agent/run.ts';
import { startOrder } from './visible-calls.ts';

/** One tool call of a run, with content: for code that judges, never for a report. */
export interface TrajectoryStep {
  /** From 1, in the order in which calls began. */
  readonly step: number;
  readonly tool: string | null;
  readonly outcome: Outcome;
  /** Equal for two calls with the same tool and arguments; `null` where arguments are not visible. */
  readonly operation: number | null;
  readonly attempt: number | null;
  /** `undefined` where the trace does not hold them. */
  readonly arguments: Json | undefined;
  readonly result: Json | undefined;
  readonly call: ToolCall;
}

/**
 * Every tool call of a run in order, with arguments and result: what an agent did, as one list.
 *
 * @example
 * trajectoryOf(run).map(({ tool, outcome }) => `${tool} ${outcome}`);
 */
export function trajectoryOf(run: Run): readonly TrajectoryStep[] {
  return run.toolCalls
    .filter(({ outcome }) => outcome !== 'denied' && outcome !== 'notRun')
    .toSorted(startOrder)
    .map((call, at) => ({
      step: at + 1,
      tool: call.name,
      outcome: call.outcome,
      operation: call.operation,
      attempt: call.attempt,
      arguments: call.arguments(),
      result: call.result(),
      call,
    }));
}
