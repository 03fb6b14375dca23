import { isPair, isScalar, parseAllDocuments, visit } from 'yaml';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import type { DecodeOptions } from '../../src/trace/otlp-reading.ts';
import type { DocumentReader, ReadingPlace } from './document-reader.ts';
import type { Piece } from './line-splitter.ts';
import { readValue } from './read-json.ts';
import type { TraceReading } from './trace-reading.ts';

/** OTLP as YAML, one document or several. */
export class YamlReader implements DocumentReader {
  readonly #place: ReadingPlace;

  constructor(place: ReadingPlace) {
    this.#place = place;
  }

  read({ bytes }: Piece): readonly TraceReading[] {
    const readings = readYaml(bytes.toString('utf8'), this.#place.options(0));
    for (const reading of readings) this.#place.input.note(reading, '');
    return readings;
  }

  finish(): void {}
}

function readYaml(text: string, options: DecodeOptions): TraceReading[] {
  const values = parse(text, options).filter((value) => value !== null);
  return values.map((value) => ({ ...readValue(value, options), form: 'otlp-yaml' }));
}

function parse(text: string, options: DecodeOptions): unknown[] {
  try {
    const documents = parseAllDocuments(text, { intAsBigInt: true, prettyErrors: false });
    if (!Array.isArray(documents)) return [];
    return documents.map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw badYaml(options, lineAt(text, error.pos[0]), error);
      idsAsWritten(document);
      return document.toJS({ reviver: (_key: unknown, value: unknown) => exactNumber(value) }) as unknown;
    });
  } catch (cause) {
    // Too many aliases, or nested too deeply for the stack.
    throw OtelEvalError.is(cause) ? cause : badYaml(options, 0, cause);
  }
}

/** An id of digits only is a number to YAML, and would lose its leading zeros. */
function idsAsWritten(document: Parameters<typeof visit>[0]): void {
  visit(document, {
    Scalar(_key, node, path) {
      const pair = path.at(-1);
      if (typeof node.value === 'string' || node.source === undefined || !isPair(pair) || pair.value !== node) return;
      if (isScalar(pair.key) && /(?:trace|span)_?id$/i.test(String(pair.key.value)) && node.value !== null) {
        node.value = node.source;
      }
    },
  });
}

function exactNumber(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function badYaml({ source = 'the input' }: DecodeOptions, line: number, cause: unknown): OtelEvalError {
  const where = line > 0 ? `${source}, line ${line}` : source;
  return new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${where}: expected OTLP as YAML, got YAML that cannot be read`, {
    source,
    ...(line > 0 ? { line } : {}),
    cause,
  });
}
