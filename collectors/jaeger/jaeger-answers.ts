import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import { jsonDocuments } from './json-sequence.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** v2 servers answer unknown paths with a text, v1 servers with the page of their user interface. */
export function isRouteMissing(answer: Answer): boolean {
  return isWebPage(answer) || (answer.status === 404 && jsonOf(answer) === undefined);
}

export function isWebPage({ status, contentType }: Answer): boolean {
  return status < 400 && contentType.startsWith('text/html');
}

/** Jaeger cannot write a trace that holds NaN or an infinity as JSON numbers. */
export function isUnwritable(answer: Answer): boolean {
  return answer.status === 500 && /unsupported value/.test(textOf(answer));
}

/**
 * The OTLP documents in an answer of the v3 API: one `{ result }`, several one after the other, or a list of them.
 * Throws `OTEL_EVAL_WRONG_SERVER` for anything else.
 */
export function v3Results(text: string, source: string): JsonObject[] {
  return jsonDocuments(text).flatMap((document) => {
    const parsed = parse(document, source);
    return (Array.isArray(parsed) ? parsed : [parsed]).map((element: unknown) => {
      const result = isObject(element) ? element['result'] : undefined;
      if (!isObject(result)) throw notJaeger(source, 'JSON without a result');
      return result;
    });
  });
}

function parse(document: string, source: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    throw notJaeger(source, 'an answer that is not JSON');
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function notJaeger(source: string, got: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${source}: expected Jaeger, got ${got}`, {
    source,
    hint: 'Check --url: host, port (16686 for queries) and base path.',
  });
}
