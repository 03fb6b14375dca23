import { createHmac, randomBytes } from 'node:crypto';
import { type Span, trace } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { present } from './content-text.ts';

/** What a stage is bound to: ids alone, which leave in any mode. */
export interface StageDetails {
  readonly toolName?: string;
  readonly callId?: string;
  readonly approvalId?: string;
  readonly procedureId?: string;
  /**
   * Whoever a check found to be asking. Only a keyed digest of it leaves (`OTEL_EVAL_DIGEST_KEY`, else a key of this
   * process), so that a reader can tell one from another.
   */
  readonly identity?: string;
}

let ownKey: Buffer | undefined;

/**
 * Leaves evidence that a stage of the run took place: an event on a span, `otel_eval.evidence.STAGE`. It never throws.
 *
 * @param stage lower-case words joined by dots: `effect.blocked`, `procedure.allowed`
 * @param span default: the active one
 *
 * @example
 * stageEvidence('effect.blocked', { toolName: 'export_customers', callId });
 */
export function stageEvidence(
  stage: string,
  details: StageDetails = {},
  span: Span | undefined = trace.getActiveSpan(),
): void {
  try {
    if (!/^[a-z]\w*(\.[a-z]\w*)*$/.test(stage)) return;
    span?.addEvent(
      `${ownAttributes.evidencePrefix}${stage}`,
      present({
        'gen_ai.tool.name': details.toolName,
        'gen_ai.tool.call.id': details.callId,
        approval_id: details.approvalId,
        procedure_id: details.procedureId,
        identity_sha256: details.identity === undefined ? undefined : digest(details.identity),
      }),
    );
  } catch {
    // A span that refuses an event is no reason to fail the app.
  }
}

function digest(identity: string): string {
  ownKey ??= randomBytes(32);
  const key = process.env['OTEL_EVAL_DIGEST_KEY'] || ownKey;
  return createHmac('sha256', key).update(identity).digest('hex');
}
