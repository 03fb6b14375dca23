import type { Span, SpanReference } from '../trace/span.ts';
import type { FindingSentence } from './assertion.ts';
import type { Finding, FindingArguments } from './verdict.ts';

/** `ExecutionTraceJoined` → `execution-trace-joined`. */
export function kebabCase(id: string): string {
  return id.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

/** Declares the two clauses of a finding with the type of its arguments. */
export function sentence<Arguments extends FindingArguments>(
  clauses: FindingSentence<Arguments>,
): FindingSentence<Arguments> {
  return clauses;
}

type SentenceTable = Readonly<Record<string, FindingSentence<never>>>;
type ArgumentsOf<Sentence> = Sentence extends FindingSentence<infer Arguments> ? Arguments : never;

export interface FindingDetails<Arguments> {
  readonly arguments: Arguments;
  readonly spans: readonly SpanReference[];
  readonly nearMisses?: Finding['nearMisses'];
}

export type FindingMaker<Table extends SentenceTable> = <Code extends keyof Table & string>(
  code: Code,
  details: FindingDetails<ArgumentsOf<Table[Code]>>,
) => Finding;

/**
 * Makes the findings of one assertion from its table of sentences, so that a code, its arguments and its wording cannot
 * drift apart.
 *
 * @example
 * const finding = findingMaker('ExecutionTraceJoined', sentences);
 * finding('no-root', { arguments: { spans: 3 }, spans: [] }).code; // 'execution-trace-joined/no-root'
 */
export function findingMaker<Table extends SentenceTable>(assertionId: string, table: Table): FindingMaker<Table> {
  const prefix = kebabCase(assertionId);
  return (code, details) => {
    const clauses = table[code] as FindingSentence;
    const args = details.arguments as FindingArguments;
    return {
      code: `${prefix}/${code}`,
      arguments: args,
      spans: details.spans.map(referenceTo),
      expected: clauses.expected(args),
      observed: clauses.observed(args),
      ...(details.nearMisses && details.nearMisses.length > 0 ? { nearMisses: details.nearMisses } : {}),
    };
  };
}

export function referenceTo(span: Span | SpanReference): SpanReference {
  return { traceId: span.traceId, spanId: span.spanId };
}
