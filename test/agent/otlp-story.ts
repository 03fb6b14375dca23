import { readFileSync } from 'node:fs';
import type { LogRecord } from '../../src/trace/log-record.ts';
import { decodeOtlpObject } from '../../src/trace/otlp-json.ts';
import type { Span } from '../../src/trace/span.ts';

export interface OtlpKeyValue {
  readonly key: string;
  readonly value: unknown;
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly OtlpKeyValue[];
  readonly events?: readonly unknown[];
}

/** One span, or one log record, with what stands around it. */
export interface Piece<Item> {
  readonly item: Item;
  readonly scope: unknown;
  readonly resource: unknown;
}

/** Spans and log records of one story, in the order in which they came. */
export interface OtlpStory {
  readonly spans: readonly Piece<OtlpSpan>[];
  readonly logs: readonly Piece<object>[];
}

interface Batch<Key extends string, Item> {
  readonly resource?: unknown;
  readonly [key: string]: unknown;
  readonly scopes?: readonly ({ readonly scope?: unknown } & { readonly [K in Key]?: readonly Item[] })[];
}

export function readStory(files: readonly string[]): OtlpStory {
  const documents = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const lines = file.endsWith('.jsonl') ? text.split('\n').filter(Boolean) : [text];
    return lines.map((line) => JSON.parse(line) as Record<string, readonly Batch<string, unknown>[] | undefined>);
  });
  return {
    spans: documents.flatMap((one) => pieces<OtlpSpan>(one['resourceSpans'], 'scopeSpans', 'spans')),
    logs: documents.flatMap((one) => pieces<object>(one['resourceLogs'], 'scopeLogs', 'logRecords')),
  };
}

function pieces<Item>(
  batches: readonly Batch<string, unknown>[] | undefined,
  outer: string,
  inner: string,
): Piece<Item>[] {
  return (batches ?? []).flatMap((batch) =>
    ((batch[outer] ?? []) as readonly Record<string, unknown>[]).flatMap((one) =>
      ((one[inner] ?? []) as readonly Item[]).map((item) => ({ item, scope: one['scope'], resource: batch.resource })),
    ),
  );
}

/** Decoded as one request, or as one for each span and record. */
export function decodeStory({ spans, logs }: OtlpStory, apart = false): { spans: Span[]; logs: LogRecord[] } {
  const spanBatch = ({ item, scope, resource }: Piece<OtlpSpan>) => ({
    resource,
    scopeSpans: [{ scope, spans: [item] }],
  });
  const logBatch = ({ item, scope, resource }: Piece<object>) => ({
    resource,
    scopeLogs: [{ scope, logRecords: [item] }],
  });
  const documents = apart
    ? [
        ...spans.map((piece) => ({ resourceSpans: [spanBatch(structuredClone(piece))] })),
        ...logs.map((piece) => ({ resourceLogs: [logBatch(structuredClone(piece))] })),
      ]
    : [{ resourceSpans: spans.map(spanBatch), resourceLogs: logs.map(logBatch) }];
  const decoded = documents.map((document) => decodeOtlpObject(document));
  return { spans: decoded.flatMap((batch) => batch.spans), logs: decoded.flatMap((batch) => batch.logs) };
}
