import { type Span, SpanKind } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isContentRead, putBeside } from './content-beside.ts';
import { contentText, present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface MemoryOptions {
  readonly operation:
    | 'search_memory'
    | 'create_memory'
    | 'update_memory'
    | 'upsert_memory'
    | 'delete_memory'
    | 'create_memory_store'
    | 'delete_memory_store';
  readonly storeId?: string;
  readonly recordId?: string;
  /** Recorded in content mode only. */
  readonly query?: string;
}

export interface MemoryRecord {
  readonly id: string;
  readonly score?: number;
  /** Recorded in content mode only. */
  readonly content?: unknown;
}

const mostIds = 100;

/**
 * One operation on an agent's memory. Tell which records it read or wrote through the function's argument.
 *
 * @example
 * const hits = await memory({ operation: 'search_memory', storeId, query }, async (records) => {
 *   const hits = await store.search(query);
 *   records(hits);
 *   return hits;
 * });
 */
export function memory<Result>(
  options: MemoryOptions,
  run: (records: (records: readonly MemoryRecord[]) => void) => Result,
): Result {
  const attributes = present({
    'gen_ai.operation.name': options.operation,
    'gen_ai.memory.store.id': options.storeId,
    'gen_ai.memory.record.id': options.recordId,
  });
  return inSpan({ name: options.operation, kind: SpanKind.INTERNAL, attributes }, (span) => {
    if (isContentRead()) putBeside(span, present({ 'gen_ai.memory.query.text': options.query }));
    return run((records) => record(span, records));
  });
}

function record(span: Span, records: readonly MemoryRecord[]): void {
  span.setAttribute('gen_ai.memory.record.count', records.length);
  span.addEvent(`${ownAttributes.evidencePrefix}memory`, {
    'record.count': records.length,
    'record.ids': records.slice(0, mostIds).map(({ id }) => id),
  });
  if (isContentRead()) putBeside(span, present({ 'gen_ai.memory.records': contentText(records) }));
}
