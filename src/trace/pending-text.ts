import type { AttributeValue } from './attributes.ts';

/** Decodes a part of a message. */
export interface TextSource {
  textAt(from: number, to: number): string;
}

/** A text that is decoded when it is first looked at, which most long texts of a span never are. Keeps its message. */
export class PendingText {
  private readonly source: TextSource;
  private readonly from: number;
  private readonly to: number;

  constructor(source: TextSource, from: number, to: number) {
    this.source = source;
    this.from = from;
    this.to = to;
  }

  read(): string {
    return this.source.textAt(this.from, this.to);
  }
}

/** An attribute value as it is kept before it is looked at. */
export type PendingValue = AttributeValue | PendingText;

export function decoded(value: PendingValue): AttributeValue {
  return value instanceof PendingText ? value.read() : value;
}
