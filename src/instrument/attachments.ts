import { createHash } from 'node:crypto';
import type { Attributes, Span } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { present } from './content-text.ts';

const mostAttachments = 64;
/** Of one model call; beyond it there is no digest, since the app waits for it. */
const mostHashedBytes = 33_554_432;
const sourceTypes: ReadonlySet<unknown> = new Set(['blob', 'uri', 'file']);

/**
 * Leaves evidence of what was attached to the messages that a model is sent: one event each, in order, with its kind
 * (`image`, `document`, …), where it came from (`blob`, `uri`, `file`), MIME type, and the SHA-256 of its bytes where
 * they are in the message. How many there were stands on the span, 0 too.
 */
export function attachmentEvidence(span: Span, messages: unknown): void {
  try {
    if (!Array.isArray(messages)) return;
    const budget = { bytes: mostHashedBytes };
    const found = messages.flatMap(partsOf).slice(0, mostAttachments);
    span.setAttribute(ownAttributes.attachmentsCount, found.length);
    for (const [index, part] of found.entries()) {
      span.addEvent(`${ownAttributes.evidencePrefix}attachment`, { index, ...evidenceOf(part, budget) });
    }
  } catch {
    // A message that throws when it is read is no reason to fail the call.
  }
}

type Fields = Readonly<Record<string, unknown>>;

function partsOf(message: unknown): Fields[] {
  const { parts } = (message ?? {}) as { readonly parts?: unknown };
  if (!Array.isArray(parts)) return [];
  return parts.filter((part): part is Fields => isRecord(part) && sourceTypes.has(part['type']));
}

function evidenceOf(part: Fields, budget: { bytes: number }): Attributes {
  return present({
    kind: word(part['modality']),
    source_type: part['type'] as string,
    mime_type: word(part['mime_type']),
    sha256: digestOf(part['content'], budget),
  });
}

function digestOf(content: unknown, budget: { bytes: number }): string | undefined {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) return undefined;
  budget.bytes -= content.length;
  if (budget.bytes < 0) return undefined;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'base64') : content;
  return createHash('sha256').update(bytes).digest('hex');
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
