import type { Attributes, AttributeValue } from '../../src/trace/attributes.ts';
import type { Span } from '../../src/trace/span.ts';
import { SpanRecord } from '../../src/trace/span-record.ts';

export const traceId: string = 'a1'.repeat(16);

/** `d0…` followed by the number. */
export function idOf(number: number): string {
  return `d0d0d0d0d0d0${number.toString(16).padStart(4, '0')}`;
}

export function attributesOf(members: Readonly<Record<string, AttributeValue>>): Attributes {
  return new Map(Object.entries(members));
}

/** Span `number` of a trace, a child of span `parent`; starts `number` ms after the first, lasts 1 ms. */
export function makeSpan(number: number, parent?: number, members: Partial<Span> = {}): Span {
  const startUnixNano = 1_760_000_000_000_000_000n + BigInt(number) * 1_000_000n;
  return SpanRecord.of({
    traceId,
    spanId: idOf(number),
    parentSpanId: parent === undefined ? undefined : idOf(parent),
    name: `span ${number}`,
    kind: 'internal',
    startUnixNano,
    endUnixNano: startUnixNano + 1_000_000n,
    ...members,
  });
}
