import { attachmentsSent } from '../../../assertions/attachments-sent.ts';
import type { SpanSketch } from '../../view-builder.ts';
import { changed } from '../order-story.ts';
import type { MutationTable } from './mutation.ts';

const picture = 'a'.repeat(64);
const contract = 'b'.repeat(64);
const other = 'c'.repeat(64);

interface Told {
  readonly kind: string;
  readonly source_type: string;
  readonly mime_type: string;
  readonly sha256: string;
}
const image: Told = { kind: 'image', source_type: 'blob', mime_type: 'image/png', sha256: picture };
const document: Told = { kind: 'document', source_type: 'blob', mime_type: 'application/pdf', sha256: contract };

/** The order story whose second model call was sent these. */
function sent(...attachments: readonly Told[]): readonly SpanSketch[] {
  return changed('4', (span) => {
    span.attributes = { ...span.attributes, 'otel_eval.attachments.count': attachments.length };
    span.events = attachments.map((told, index) => ({
      name: 'otel_eval.evidence.attachment',
      attributes: { index, ...told },
    }));
  });
}

const parameters = {
  attachments: [
    { kind: 'image', sourceType: 'blob', mimeType: 'image/png', sha256: picture },
    { kind: 'document', sourceType: 'blob', mimeType: 'application/pdf', sha256: contract },
  ],
};
const before = sent(image, document);
const differs = (at: number, ...fields: readonly string[]) => [
  { code: 'differs', arguments: { at, wanted: 2, fields }, spans: ['4'] },
];

export const attachmentsMutations: MutationTable = {
  assertion: attachmentsSent,
  mutations: [
    {
      // R2-104: the right bytes were asked for, and one of them never reached the provider.
      what: 'an attachment was dropped before the provider',
      parameters,
      before,
      after: sent(image),
      findings: [{ code: 'dropped', arguments: { wanted: 2, sent: 1 }, spans: ['4'] }],
    },
    {
      what: 'all attachments were dropped',
      parameters,
      before,
      after: sent(),
      findings: [{ code: 'dropped', arguments: { wanted: 2, sent: 0 }, spans: ['4'] }],
    },
    {
      what: 'one was sent that nobody asked for',
      parameters,
      before,
      after: sent(image, document, image),
      findings: [{ code: 'added', arguments: { wanted: 2, sent: 3 }, spans: ['4'] }],
    },
    {
      what: 'other bytes',
      parameters,
      before,
      after: sent(image, { ...document, sha256: other }),
      findings: differs(2, 'sha256'),
    },
    {
      what: 'another source: an address instead of the bytes',
      parameters,
      before,
      after: sent({ ...image, source_type: 'uri' }, document),
      findings: differs(1, 'sourceType'),
    },
    {
      what: 'another MIME type',
      parameters,
      before,
      after: sent({ ...image, mime_type: 'image/gif' }, document),
      findings: differs(1, 'mimeType'),
    },
    {
      what: 'the other order',
      parameters,
      before,
      after: sent(document, image),
      findings: differs(1, 'kind', 'mimeType', 'sha256'),
    },
  ],
};
