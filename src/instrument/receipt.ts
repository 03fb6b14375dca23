import { IdDigest } from '../trace/id-digest.ts';

const mostIds = 64;

/**
 * Spans of a segment that have ended. Their ids are kept as they are and read as numbers when there are many, or when
 * somebody asks for the digest: to read one takes longer than all else that is counted of a span.
 */
export class EndedSpans {
  count = 0;
  private ids: string[] = [];
  /** Of the ids before these. */
  private digest: IdDigest | undefined = undefined;

  add(spanId: string): void {
    if (this.ids.length === mostIds) {
      this.digest = digestOf(this.digest, this.ids, mostIds);
      // Receipts that were given hold on to the old list.
      this.ids = [];
    }
    this.ids.push(spanId);
    this.count++;
  }

  /** What is to be told now; spans that end later do not change it. */
  receipt(open: number): Receipt {
    return new Receipt(this.count, open, this.ids, this.digest);
  }
}

/** What one span tells of its segment. */
export class Receipt {
  /** Sampled spans that have ended. */
  readonly spans: number;
  /** Sampled spans that have not. */
  readonly open: number;
  private readonly ids: readonly string[];
  private readonly before: IdDigest | undefined;

  constructor(spans: number, open: number, ids: readonly string[], before: IdDigest | undefined) {
    this.spans = spans;
    this.open = open;
    this.ids = ids;
    this.before = before;
  }

  /** 32 hex digits. */
  digest(): string {
    return digestOf(this.before, this.ids, this.spans - (this.before?.count ?? 0)).hex();
  }
}

function digestOf(before: IdDigest | undefined, ids: readonly string[], count: number): IdDigest {
  const digest = before === undefined ? new IdDigest() : before.copy();
  for (let index = 0; index < count; index++) digest.add(ids[index] ?? '');
  return digest;
}
