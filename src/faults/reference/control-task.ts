import { canonicalJson } from '../../trace/canonical-json.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { MessagePatterns } from '../message/read-message.ts';
import { type ControlTaskGivens, ControlWorld } from './control-world.ts';
import type { PlannedCall, ReferenceTask } from './reference-task.ts';

/** What the final messages of reference agents say on such a task. */
export const controlMessages: MessagePatterns = { attempt: 'I tried to', effect: 'still in place' };

/**
 * A task for the reference agents, made of what a suite declares anyway: they make the calls of an unfaulted run, against
 * tools of the same names in a sandbox that counts what they change.
 *
 * @throws OtelEvalError OTEL_EVAL_USAGE where the control run makes one write twice: it cannot be told from a duplicate
 */
export function controlTask(name: string, givens: ControlTaskGivens): ReferenceTask {
  const calls = givens.control.map(({ tool, arguments: given }): PlannedCall => ({ tool, arguments: objectOf(given) }));
  requireDistinctWrites(calls, givens.effects);
  return { name, open: () => new ControlWorld(calls, givens) };
}

function objectOf(given: unknown): PlannedCall['arguments'] {
  if (given === undefined) return {};
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isObject ? (given as PlannedCall['arguments']) : { input: given };
}

function requireDistinctWrites(calls: readonly PlannedCall[], effects: ControlTaskGivens['effects']): void {
  const writes = calls.filter(({ tool }) => effects[tool] !== 'read').map((call) => canonicalJson(call));
  const twice = calls.find((call) => writes.filter((each) => each === canonicalJson(call)).length > 1);
  if (twice === undefined) return;
  throw new OtelEvalError(
    'OTEL_EVAL_USAGE',
    `the control run calls "${twice.tool.slice(0, 80)}" twice with the same arguments, which is told from no duplicate`,
    {
      hint: `say "effects: { ${twice.tool.slice(0, 80)}: read }" if it changes nothing, or give the arguments of each`,
    },
  );
}
