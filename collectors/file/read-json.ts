import { parseExactJson } from '../../src/trace/exact-json.ts';
import { decodeJaegerObject, jaegerLosses } from '../../src/trace/jaeger-json.ts';
import { decodeOtlpJson, decodeOtlpObject, looksLikeOtlp } from '../../src/trace/otlp-json.ts';
import type { DecodeOptions } from '../../src/trace/otlp-reading.ts';
import { decodeTempoObject } from '../../src/trace/tempo-json.ts';
import { notATrace } from './foreign-forms.ts';
import type { TraceReading } from './trace-reading.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** How nearly every document begins. */
const usualStart = /^\s*\{\s*"resource(?:Spans|Logs|Metrics)"/;

/**
 * Reads one JSON document in any form that is known, by its keys. Throws `OTEL_EVAL_NOT_A_TRACE`: one sentence that
 * says what it is instead.
 */
export function readJson(text: string, options: DecodeOptions): TraceReading {
  if (usualStart.test(text)) return plain('otlp-json', decodeOtlpJson(text, options));
  return readValue(parseExactJson(text, options), options);
}

/** The same for a document that is parsed already, its integers exact. */
export function readValue(value: unknown, options: DecodeOptions): TraceReading {
  const reading = readKnownForm(value, options);
  if (reading === undefined) throw notATrace(value, options);
  return reading;
}

function readKnownForm(value: unknown, options: DecodeOptions): TraceReading | undefined {
  const form = forms.find(({ test }) => test(value));
  return form?.read(value as JsonObject, options);
}

interface KnownForm {
  test(value: unknown): boolean;
  read(value: JsonObject, options: DecodeOptions): TraceReading;
}

const forms: readonly KnownForm[] = [
  {
    test: (value) => isObject(value) && Array.isArray(value['batches']),
    read: (value, options) => backend('tempo-v1-json', decodeTempoObject(value, options)),
  },
  {
    test: looksLikeOtlp,
    read: (value, options) => {
      const isBare = !Object.keys(value).some((key) => /^resource_?(spans|logs|metrics)$/i.test(key));
      return plain(isBare ? 'resource-spans-json' : 'otlp-json', decodeOtlpObject(value, options));
    },
  },
  {
    test: isTempoAnswer,
    read: (value, options) => backend('tempo-v2-json', decodeTempoObject(value, options)),
  },
  {
    test: isJaegerV3,
    read: (value, options) => {
      const result = value['result'] as JsonObject;
      const batch = decodeOtlpObject(looksLikeOtlp(result) ? result : { resourceSpans: [] }, options);
      return backend('jaeger-v3-json', { batch });
    },
  },
  {
    test: isJaeger,
    read: (value, options) => ({
      ...backend('jaeger-json', { batch: decodeJaegerObject(value, options) }),
      losses: jaegerLosses,
    }),
  },
];

function plain(form: TraceReading['form'], batch: TraceReading['batch']): TraceReading {
  return { form, batch, remote: false, losses: [] };
}

function backend(
  form: TraceReading['form'],
  { batch, serverSays }: Pick<TraceReading, 'batch' | 'serverSays'>,
): TraceReading {
  return { form, batch, remote: true, losses: [], ...(serverSays === undefined ? {} : { serverSays }) };
}

function isTempoAnswer(value: unknown): boolean {
  if (!isObject(value) || 'observations' in value || !isObject(value['trace'])) return false;
  return looksLikeOtlp(value['trace']) || Object.keys(value['trace']).length === 0;
}

function isJaegerV3(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['result'])) return false;
  return (
    looksLikeOtlp(value['result']) || (Object.keys(value).length === 1 && Object.keys(value['result']).length === 0)
  );
}

function isJaeger(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { data } = value;
  if (Array.isArray(data)) {
    return data.length > 0 ? data.every(isJaegerTrace) : 'total' in value && 'errors' in value;
  }
  return isJaegerTrace(data) || isJaegerTrace(value) || isJaegerSpan(value);
}

function isJaegerTrace(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value['spans'])) return false;
  const { spans } = value;
  return spans.length > 0 ? spans.every(isJaegerSpan) : 'traceID' in value && 'processes' in value;
}

function isJaegerSpan(value: unknown): boolean {
  return isObject(value) && 'traceID' in value && 'spanID' in value && 'operationName' in value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
