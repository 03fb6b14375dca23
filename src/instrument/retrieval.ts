import { type Span, SpanKind } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isContentRead, putBeside } from './content-beside.ts';
import { contentText, present } from './content-text.ts';
import { inSpan } from './in-span.ts';

export interface RetrievalOptions {
  /** Id of the source that is searched. */
  readonly dataSource: string;
  readonly topK?: number;
  /** Recorded in content mode only. */
  readonly query?: string;
}

export interface RetrievedDocument {
  readonly id: string;
  readonly score?: number;
  /** Recorded in content mode only. */
  readonly content?: unknown;
}

const mostIds = 100;

/**
 * One look-up in a data source. Tell what was found through the function's argument: ids and count are evidence in any
 * mode, content only in content mode.
 *
 * @example
 * await retrieval({ dataSource: 'handbook', query }, async (found) => {
 *   const hits = await search(query);
 *   found(hits.map(({ id, score, text }) => ({ id, score, content: text })));
 *   return hits;
 * });
 */
export function retrieval<Result>(
  options: RetrievalOptions,
  run: (found: (documents: readonly RetrievedDocument[]) => void) => Result,
): Result {
  const attributes = present({
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': options.dataSource,
    'gen_ai.retrieval.top_k': options.topK,
  });
  return inSpan({ name: `retrieval ${options.dataSource}`, kind: SpanKind.CLIENT, attributes }, (span) => {
    if (isContentRead()) putBeside(span, present({ 'gen_ai.retrieval.query.text': options.query }));
    return run((documents) => record(span, documents));
  });
}

function record(span: Span, documents: readonly RetrievedDocument[]): void {
  span.addEvent(`${ownAttributes.evidencePrefix}retrieval`, {
    'document.count': documents.length,
    'document.ids': documents.slice(0, mostIds).map(({ id }) => id),
  });
  if (isContentRead()) putBeside(span, present({ 'gen_ai.retrieval.documents': contentText(documents) }));
}
