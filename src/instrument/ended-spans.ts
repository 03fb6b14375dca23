import { IdDigest } from '../trace/id-digest.ts';

const idLength = 16;
const mostUnread = 64 * idLength;

/**
 * Ids of the spans of a segment that have ended. To read one as a number takes as long as most else that is done for a
 * span, and nobody asks for the digest of a span that is dropped: so ids are strung together as they are, and read when
 * a receipt is, or when there are 64.
 */
export class EndedSpans {
  count = 0;
  private unread = '';
  private read: IdDigest | undefined = undefined;

  add(spanId: string): void {
    this.count++;
    this.unread += spanId.length === idLength ? spanId : strangeId;
    if (this.unread.length < mostUnread) return;
    this.read = digestOf(this.read, this.unread);
    this.unread = '';
  }

  /** What can be told now: spans that end later do not change it. */
  receipt(open: number): Receipt {
    return new Receipt(this.count, open, this.read, this.unread);
  }
}

/** What a span tells of its segment. */
export class Receipt {
  /** Sampled spans that have ended. */
  readonly spans: number;
  /** Sampled spans that have not. */
  readonly open: number;
  private readonly read: IdDigest | undefined;
  private readonly unread: string;

  constructor(spans: number, open: number, read: IdDigest | undefined, unread: string) {
    this.spans = spans;
    this.open = open;
    this.read = read;
    this.unread = unread;
  }

  /** 32 hex digits. */
  digest(): string {
    return digestOf(this.read, this.unread).hex();
  }
}

/** Spoils the digest, as an id of another length does. */
const strangeId = 'not 16 hexdigits';

function digestOf(before: IdDigest | undefined, ids: string): IdDigest {
  const digest = before === undefined ? new IdDigest() : before.copy();
  for (let at = 0; at < ids.length; at += idLength) digest.add(ids.slice(at, at + idLength));
  return digest;
}
