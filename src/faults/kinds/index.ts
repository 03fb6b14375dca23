import type { FaultKind } from '../plan/fault-kind.ts';
import { emptyFault } from './empty.ts';
import { errorFault } from './error.ts';
import type { Fault } from './fault.ts';
import { http429Fault } from './http-429.ts';
import { http503Fault } from './http-503.ts';
import { latencyFault } from './latency.ts';
import { malformedFault } from './malformed.ts';
import { partialFault } from './partial.ts';
import { staleReadFault } from './stale-read.ts';
import { timeoutFault } from './timeout.ts';
import { timeoutButAppliedFault } from './timeout-but-applied.ts';

/** Every fault, in the order in which docs list them. To add one: a file, a line here, its kind and options in the plan. */
export const faults: readonly Fault[] = [
  errorFault,
  timeoutFault,
  timeoutButAppliedFault,
  http503Fault,
  http429Fault,
  emptyFault,
  malformedFault,
  partialFault,
  staleReadFault,
  latencyFault,
] as readonly Fault<never>[] as readonly Fault[];

export function faultOfKind(kind: FaultKind): Fault {
  return faults.find((fault) => fault.kind === kind) as Fault;
}
