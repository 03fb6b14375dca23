import { z } from 'zod';
import type { PlanRow } from '../plan/fault-plan.ts';
import { FaultSession, type FaultSessionOptions } from './fault-session.ts';

/** What a runner tells its target of the fault of one trial. */
export interface PlannedFault {
  readonly plan: { readonly hash: string };
  readonly row: PlanRow;
}

/**
 * Opens the fault session of a trial; `undefined` where nothing is to go wrong, so that an app needs no second path.
 *
 * @param fault - `ticket.fault` of a target that is a function; by default what the runner put into the environment
 * @example
 * const session = openFaultSession(ticket.fault, { ledger });
 * const tools = session === undefined ? plain : wrapTools(session, plain);
 */
export function openFaultSession(
  fault: PlannedFault | undefined = faultOfEnvironment(process.env),
  options: Omit<FaultSessionOptions, 'plan' | 'row'> = {},
): FaultSession | undefined {
  return fault === undefined ? undefined : new FaultSession({ ...options, ...fault });
}

const planned = z.object({ plan: z.object({ hash: z.string() }), row: z.looseObject({ tool: z.string() }) });

/** What `otel-eval run` gave to a target in a process of its own. */
function faultOfEnvironment(environment: Readonly<Record<string, string | undefined>>): PlannedFault | undefined {
  const text = environment['OTEL_EVAL_FAULT'];
  if (text === undefined || text === '') return undefined;
  return planned.parse(JSON.parse(text)) as unknown as PlannedFault;
}
