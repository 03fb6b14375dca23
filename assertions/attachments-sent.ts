import { z } from 'zod';
import type { Attributes } from '../src/trace/attributes.ts';
import { ownAttributes } from '../src/trace/own-attributes.ts';
import type { Span } from '../src/trace/span.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks, undecided } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed } from '../src/verdict/wording.ts';

/** One attachment as the model was sent it. */
export interface WantedAttachment {
  readonly kind?: string | undefined;
  readonly sourceType: 'blob' | 'uri' | 'file';
  readonly mimeType?: string | undefined;
  readonly sha256?: string | undefined;
}

export interface AttachmentsSentParameters {
  readonly attachments: readonly WantedAttachment[];
}

const attachment: z.ZodType<WantedAttachment> = z.strictObject({
  kind: z.string().min(1).optional().describe('As image, audio, video, document.'),
  sourceType: z
    .enum(['blob', 'uri', 'file'])
    .describe('How it stands in the message: its bytes, an address, or a file of the provider.'),
  mimeType: z.string().min(1).optional().describe('As image/png.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits in lower case')
    .optional()
    .describe('Of the bytes, in hex.'),
});

const parameters: z.ZodType<AttachmentsSentParameters> = z
  .strictObject({
    attachments: z.array(attachment).min(1).describe('All attachments of one model call, in order.'),
  })
  .describe(
    'Some model call was sent exactly these attachments. What was asked for is no evidence, only what was sent.',
  );

const findings = {
  dropped: sentence<{ wanted: number; sent: number }>({
    expected: ({ wanted }) => `a model call that was sent ${counted(wanted, 'attachment')}`,
    observed: ({ sent }) => `${sent === 0 ? 'none' : sent} at most`,
  }),
  added: sentence<{ wanted: number; sent: number }>({
    expected: ({ wanted }) => `a model call that was sent ${counted(wanted, 'attachment')}`,
    observed: ({ sent }) => `${sent} in the nearest one`,
  }),
  differs: sentence<{ at: number; wanted: number; fields: readonly string[] }>({
    expected: ({ at, wanted }) => `attachment ${at} of ${wanted} as it was given`,
    observed: ({ fields }) => `another ${listed(fields)}`,
  }),
};
const finding = findingMaker('AttachmentsSent', findings);

/** What one model call tells of its attachments. */
interface Sent {
  readonly span: Span;
  readonly count: number;
  readonly attachments: readonly Attributes[];
}

const eventName = `${ownAttributes.evidencePrefix}attachment`;
const keys = { kind: 'kind', sourceType: 'source_type', mimeType: 'mime_type', sha256: 'sha256' } as const;
type Field = keyof typeof keys;

function sentIn(span: Span): Sent[] {
  const count = span.attributes.get(ownAttributes.attachmentsCount);
  if (typeof count !== 'number' && typeof count !== 'bigint') return [];
  const events = span.events.filter(({ name }) => name === eventName).map(({ attributes }) => attributes);
  const attachments = events.sort((a, b) => Number(a.get('index') ?? 0) - Number(b.get('index') ?? 0));
  return [{ span, count: Number(count), attachments }];
}

/** Fields that are told and are others than wanted; `untold` where one is wanted and not told. */
function compare(wanted: WantedAttachment, told: Attributes | undefined): { other: Field[]; untold: boolean } {
  const asked = (Object.keys(keys) as Field[]).filter((field) => wanted[field] !== undefined);
  const value = (field: Field): unknown => told?.get(keys[field]);
  return {
    other: asked.filter((field) => value(field) !== undefined && value(field) !== wanted[field]),
    untold: asked.some((field) => value(field) === undefined),
  };
}

interface Compared {
  readonly sent: Sent;
  readonly answer: 'same' | 'other' | 'untold';
  /** First attachment that differs, from 0. */
  readonly at: number;
  readonly fields: readonly Field[];
}

function comparedWith(wanted: readonly WantedAttachment[], sent: Sent): Compared {
  if (sent.count !== wanted.length) return { sent, answer: 'other', at: -1, fields: [] };
  const each = wanted.map((one, at) => compare(one, sent.attachments[at]));
  const at = each.findIndex(({ other }) => other.length > 0);
  if (at >= 0) return { sent, answer: 'other', at, fields: each[at]?.other ?? [] };
  return { sent, answer: each.some(({ untold }) => untold) ? 'untold' : 'same', at, fields: [] };
}

const noStamp: MissingEvidence = {
  kind: 'stamp',
  message: `no model call tells what was attached to its messages; modelCall of otel-eval/instrument would`,
};
const untoldParts: MissingEvidence = {
  kind: 'stamp',
  message:
    'a model call has so many attachments, and does not tell all that is asked of them; bytes are only known where the message holds them',
};

function evaluate(view: View, { attachments: wanted }: AttachmentsSentParameters): Verdict {
  const spans = view.run.modelCalls.flatMap((call) => call.spans);
  const compared = [...new Set(spans)].flatMap(sentIn).map((sent) => comparedWith(wanted, sent));
  const remarks = groundRemarks(view);
  const same = compared.filter(({ answer }) => answer === 'same').map(({ sent }) => sent.span.traceId);
  const inEach = view.run.traces.every(({ traceId }) => same.includes(traceId));
  if (same.length > 0 && (inEach || !isHeap(view.run))) return conclude({ examined: compared.length, remarks });
  const missing = [
    ...(same.length > 0 ? [runsNotToldApart(view.run)] : []),
    ...(compared.length === 0 ? [noStamp] : []),
    ...(compared.some(({ answer }) => answer === 'untold') ? [untoldParts] : []),
    ...undecided('whole', view),
  ];
  const found = missing.length > 0 ? [] : [difference(wanted, compared)];
  return conclude({ examined: compared.length, findings: found, missing, remarks });
}

/** What is wrong in the call that comes nearest: the same number, else the largest. */
function difference(wanted: readonly WantedAttachment[], compared: readonly Compared[]): Finding {
  const alike = compared.find(({ at }) => at >= 0);
  if (alike !== undefined) {
    const { at, fields, sent } = alike;
    return finding('differs', { arguments: { at: at + 1, wanted: wanted.length, fields }, spans: [sent.span] });
  }
  const [first, ...others] = compared;
  const nearest = others.reduce((most, each) => (each.sent.count > (most?.sent.count ?? 0) ? each : most), first);
  const sent = nearest?.sent.count ?? 0;
  const code = sent > wanted.length ? 'added' : 'dropped';
  return finding(code, {
    arguments: { wanted: wanted.length, sent },
    spans: nearest === undefined ? [] : [nearest.sent.span],
  });
}

export const attachmentsSent: Assertion<AttachmentsSentParameters> = {
  id: 'AttachmentsSent',
  summary: 'Some model call was sent exactly these attachments: kind, source, MIME type and SHA-256, in order.',
  needs: 'any trace that shows it; a whole one before it is called dropped',
  parameters,
  findings,
  evaluate,
};
