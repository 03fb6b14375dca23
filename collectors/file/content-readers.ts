import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type BracketLimits, BracketSplitter } from './bracket-splitter.ts';
import type { ContentKind } from './content-kind.ts';
import type { DocumentReader, ReadingPlace } from './document-reader.ts';
import { JsonLinesReader } from './json-lines-reader.ts';
import { JsonValuesReader } from './json-values-reader.ts';
import { LineSplitter, type Splitter } from './line-splitter.ts';
import { MessageSplitter, WholeSplitter } from './message-splitter.ts';

/** How one input is cut into pieces, and how the pieces are read. */
export interface ContentReaders {
  readonly splitter: Splitter;
  readonly reader: DocumentReader;
}

const largestYaml = 64 * 1024 * 1024;

/**
 * Loads what only some kinds need when they need it.
 *
 * @param largest bytes of one document, line or message
 */
export async function contentReaders(kind: ContentKind, place: ReadingPlace, largest: number): Promise<ContentReaders> {
  const { label } = place.input;
  const limits: BracketLimits = {
    largest,
    tooLarge: (line) => tooLarge(label, `line ${line}: a document of more than ${largest} bytes`),
    notJson: (line) => notJson(label, line),
  };
  const longMessage = (bytes: number): OtelEvalError => tooLarge(label, `a message of ${bytes} bytes`);
  if (kind === 'json-lines') {
    const splitter = new LineSplitter(largest, (line) => tooLarge(label, `line ${line}: longer than ${largest} bytes`));
    return { splitter, reader: new JsonLinesReader(place, limits) };
  }
  if (kind === 'json-values') {
    const splitter = new BracketSplitter(limits);
    return { splitter, reader: new JsonValuesReader(place, splitter) };
  }
  if (kind === 'yaml') {
    const { YamlReader } = await import('./yaml-reader.ts');
    return { splitter: new WholeSplitter(Math.min(largest, largestYaml), longMessage), reader: new YamlReader(place) };
  }
  const { ProtobufReader } = await import('./protobuf-reader.ts');
  if (kind === 'protobuf') {
    return { splitter: new WholeSplitter(largest, longMessage), reader: new ProtobufReader(place, undefined) };
  }
  const splitter = new MessageSplitter(largest, longMessage);
  return { splitter, reader: new ProtobufReader(place, splitter) };
}

function tooLarge(source: string, what: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_TOO_LARGE', `${source}, ${what}: more than is read at once`, { source });
}

function notJson(source: string, line: number): OtelEvalError {
  const message = `${source}, line ${line}: expected a JSON object, got something else between the objects`;
  return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', message, { source, line });
}
