import type { AttributeValue } from './attributes.ts';
import { IdDigest } from './id-digest.ts';
import { ownAttributes } from './own-attributes.ts';
import type { Span } from './span.ts';

/** What a receipt says of its segment at the time it was written. */
export interface Receipt {
  /** Sampled spans that have ended, the carrier included. */
  readonly spans: number;
  /** Sampled spans that were started and had not ended. */
  readonly open: number;
  /** 32 hex digits. */
  readonly digest: string;
}

/** The spans of one segment that are here, and the newest receipt among them. */
export interface Segment {
  readonly id: string;
  readonly here: IdDigest;
  /** The one that counts most spans; `undefined` where none was found. */
  receipt: Receipt | undefined;
  /** Two receipts count equally many spans and say different things: at most one of them can be right. */
  contradicted: boolean;
}

export interface Segments {
  readonly byId: ReadonlyMap<string, Segment>;
  /** Spans that carry no segment: nobody vouches for them. */
  readonly unstamped: number;
  /** Receipts that could not be read, which therefore say nothing. */
  readonly unreadable: number;
}

/** Groups spans (one per id) by the segment they carry. */
export function segmentsOf(spans: readonly Span[]): Segments {
  const byId = new Map<string, Segment>();
  let unstamped = 0;
  let unreadable = 0;
  for (const span of spans) {
    const id = span.attributes.get(ownAttributes.segment);
    if (typeof id !== 'string' || id === '') {
      unstamped++;
      continue;
    }
    let segment = byId.get(id);
    if (segment === undefined) {
      segment = { id, here: new IdDigest(), receipt: undefined, contradicted: false };
      byId.set(id, segment);
    }
    segment.here.add(span.spanId);
    const receipt = receiptOn(span);
    if (receipt === 'unreadable') unreadable++;
    else if (receipt !== undefined) take(segment, receipt);
  }
  return { byId, unstamped, unreadable };
}

function receiptOn(span: Span): Receipt | 'unreadable' | undefined {
  const spans = span.attributes.get(ownAttributes.receiptSpans);
  if (spans === undefined) return undefined;
  const receipt = {
    spans: count(spans),
    open: count(span.attributes.get(ownAttributes.receiptOpen)),
    digest: span.attributes.get(ownAttributes.receiptDigest),
  };
  const { digest } = receipt;
  if (Number.isNaN(receipt.spans) || Number.isNaN(receipt.open)) return 'unreadable';
  if (typeof digest !== 'string' || !/^[0-9a-f]{32}$/.test(digest)) return 'unreadable';
  return { spans: receipt.spans, open: receipt.open, digest };
}

function count(value: AttributeValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}

function take(segment: Segment, receipt: Receipt): void {
  const known = segment.receipt;
  if (known === undefined || receipt.spans > known.spans) {
    segment.receipt = receipt;
    segment.contradicted = false;
  } else if (receipt.spans === known.spans) {
    if (receipt.open !== known.open || receipt.digest !== known.digest) segment.contradicted = true;
  }
}
