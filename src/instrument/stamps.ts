import type { Attributes } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import type { SpanState } from './segment.ts';

const conversationKey = 'gen_ai.conversation.id';

/** Puts run, segment, index and, where it is due, the receipt on the attributes of a copy. */
export function stampSegment(out: Attributes, state: SpanState, mode: 'metadata' | 'content'): void {
  const { segment, run } = state;
  out[ownAttributes.segment] = segment.id;
  out[ownAttributes.eventIndex] = state.index;
  if (run !== undefined) {
    out[ownAttributes.runId] = run.runId;
    if (run.conversationId !== undefined) out[conversationKey] ??= run.conversationId;
  }
  if (state.isLocalRoot) out[ownAttributes.contentMode] = mode;
  const receipt = state.end?.receipt;
  if (receipt === undefined) return;
  out[ownAttributes.receiptSpans] = receipt.spans;
  out[ownAttributes.receiptOpen] = receipt.open;
  out[ownAttributes.receiptDigest] = receipt.digest();
}
