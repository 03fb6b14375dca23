import { type Span, SpanKind } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface HumanInputOptions {
  /** A message, the approval of a tool call, or an edit of what the agent was about to do. */
  readonly kind: 'message' | 'approval' | 'edit';
  /** The tool call that waits for it. */
  readonly toolName?: string;
  readonly callId?: string;
  /** What the decision is bound to, such as the id of a resume token: a second use of it can then be told. */
  readonly approvalId?: string;
}

/** What became of an approval; `replay_refused` where a decision was used a second time and turned away. */
export type Decision = 'granted' | 'denied' | 'replay_refused';

/**
 * Waits for a person. For an approval, say through the function's argument what was decided: the trace then holds the
 * evidence that it was asked for, and granted or denied; also that a decision was used twice and refused.
 *
 * @example
 * const ok = await humanInput({ kind: 'approval', toolName: 'issue_refund', callId }, async (decided) => {
 *   const ok = await ask();
 *   decided(ok ? 'granted' : 'denied');
 *   return ok;
 * });
 */
export function humanInput<Result>(
  options: HumanInputOptions,
  run: (decided: (decision: Decision) => void) => Result,
): Result {
  const attributes = present({
    'gen_ai.operation.name': 'human_input',
    'gen_ai.tool.name': options.toolName,
    'gen_ai.tool.call.id': options.callId,
    approval_id: options.approvalId,
  });
  return inSpan({ name: `human_input ${options.kind}`, kind: SpanKind.INTERNAL, attributes }, (span) => {
    if (options.kind === 'approval') evidence(span, options, 'asked');
    return run((decision) => {
      evidence(span, options, decision);
      span.addEvent('gen_ai.tool.call.decision', { 'gen_ai.tool.call.decision.outcome': decision });
    });
  });
}

function evidence(span: Span, { toolName, callId, approvalId }: HumanInputOptions, stage: Decision | 'asked'): void {
  const attributes = present({
    stage,
    'gen_ai.tool.name': toolName,
    'gen_ai.tool.call.id': callId,
    approval_id: approvalId,
  });
  span.addEvent(`${ownAttributes.evidencePrefix}approval`, attributes);
}
