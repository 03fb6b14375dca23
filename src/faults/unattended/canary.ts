import { trace } from '@opentelemetry/api';
import { ownAttributes } from '../../trace/own-attributes.ts';
import { showsFailure } from '../../trace/result-failure.ts';

/**
 * Sends a call that must be refused straight to the production dispatch, and writes into the trace whether it was. A
 * dispatch that accepts it has a layer which repairs calls before they are validated.
 *
 * @example
 * await sendCanary('update_ticket', () => dispatch('update_ticket', { id: 'T-8841', status: 'Closed!' }));
 */
export async function sendCanary(tool: string, dispatch: () => unknown): Promise<boolean> {
  const rejected = await Promise.resolve()
    .then(dispatch)
    .then(showsFailure, () => true);
  const attributes = { stage: rejected ? 'rejected' : 'accepted', 'gen_ai.tool.name': tool };
  trace.getActiveSpan()?.addEvent(`${ownAttributes.evidencePrefix}canary`, attributes);
  return rejected;
}
