import { parseExactJson } from './exact-json.ts';
import type { OtelEvalError } from './otel-eval-error.ts';
import { readText, readUint32 } from './otlp-json-field.ts';
import { readLogRecord } from './otlp-json-log.ts';
import { type ScannedDocument, scanOtlpJson } from './otlp-json-scan.ts';
import { readSpan } from './otlp-json-span.ts';
import { isObject, type JsonObject, kindOf, readAttributes } from './otlp-json-value.ts';
import { type DecodeOptions, type OtlpBatch, OtlpReading, SharedStrings } from './otlp-reading.ts';
import type { Resource, Scope, Span } from './span.ts';
import { noScope, SpanRecord } from './span-record.ts';

/**
 * Reads one OTLP/JSON document: a traces, logs or metrics request in any spelling seen in the wild, a bare
 * `ResourceSpans`, Tempo's `batches`, or a list of such. For a file with one document a line, call it line by line
 * with the same `shared`.
 *
 * What cannot be read is named in `problems`, its siblings stay. Throws an `OtelEvalError` for text that is not JSON
 * (`OTEL_EVAL_NOT_A_TRACE`), for JSON that is not OTLP (the same; never zero spans), and beyond the bounds
 * (`OTEL_EVAL_TOO_LARGE`).
 *
 * @example
 * const shared = new SharedStrings();
 * for (const text of lines) {
 *   line += 1;
 *   const { spans, logs, problems } = decodeOtlpJson(text, { source: 'traces.jsonl', line, shared });
 * }
 */
export function decodeOtlpJson(text: string, options: DecodeOptions = {}): OtlpBatch {
  const shared = options.shared ?? new SharedStrings();
  const scanned = scanOtlpJson(text, options, shared);
  if (scanned === undefined) return parseOtlpJson(text, { ...options, shared });
  const reading = readDocument(scanned.document, { ...options, shared }, scanned.lists);
  return reading.needsExact ? readDocument(parseExactJson(text, options), options) : reading;
}

/** The same by way of `JSON.parse`: slower, and for any text. */
export function parseOtlpJson(text: string, options: DecodeOptions = {}): OtlpBatch {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The exact parser says where and why.
    parsed = parseExactJson(text, options);
  }
  const reading = readDocument(parsed, options);
  return reading.needsExact ? readDocument(parseExactJson(text, options), options) : reading;
}

/**
 * The same for a document that is parsed already (YAML, or a member of a larger document). Integers beyond 2^53 must be
 * `bigint` in it: a `number` there may have been rounded and is taken as it is.
 */
export function decodeOtlpObject(document: unknown, options: DecodeOptions = {}): OtlpBatch {
  return readDocument(document, options);
}

const spanKeys = ['resourceSpans', 'resource_spans', 'batches'];
const logKeys = ['resourceLogs', 'resource_logs'];
const metricKeys = ['resourceMetrics', 'resource_metrics'];
const scopeSpanKeys = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans', 'instrumentation_library_spans'];
const scopeLogKeys = ['scopeLogs', 'scope_logs', 'instrumentationLibraryLogs', 'instrumentation_library_logs'];
const scopeMetricKeys = ['scopeMetrics', 'scope_metrics'];
const topKeys = [...spanKeys, ...logKeys, ...metricKeys];
const bareKeys = [...scopeSpanKeys, ...scopeLogKeys, ...scopeMetricKeys];

/** True for an object with a top-level key of OTLP, a bare `ResourceSpans` included. */
export function looksLikeOtlp(value: unknown): boolean {
  return isObject(value) && (topKeys.some((key) => key in value) || bareKeys.some((key) => key in value));
}

function readDocument(document: unknown, options: DecodeOptions, scanned?: ScannedDocument['lists']): OtlpReading {
  const reading = new OtlpReading(options, scanned);
  if (!Array.isArray(document)) {
    readTop(reading, document, 0);
    return reading;
  }
  if (document.length === 0) throw notOtlp(reading, document);
  document.forEach((element, i) => {
    reading.stand(0, '', i);
    readTop(reading, element, 1);
  });
  return reading;
}

function readTop(reading: OtlpReading, document: unknown, level: number): void {
  if (!looksLikeOtlp(document)) throw notOtlp(reading, document);
  const object = document as JsonObject;
  readGroup(reading, object, level);
  for (const key of topKeys) {
    eachOf(reading, object[key], { key, level }, (group) => readGroup(reading, group, level + 1));
  }
}

interface Level {
  readonly key: string;
  readonly level: number;
}

/** Calls `read` for each object of a list, telling the reading where it stands. */
function eachOf(reading: OtlpReading, list: unknown, place: Level, read: (element: JsonObject) => void): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) {
    reading.problem('bad-list', `expected a list, got ${kindOf(list)}`, place.key);
    return;
  }
  for (let i = 0; i < list.length; i += 1) {
    reading.stand(place.level, place.key, i);
    const element: unknown = list[i];
    if (isObject(element)) read(element);
    else reading.problem('bad-element', `expected an object, got ${kindOf(element)}`, '');
  }
  reading.leave(place.level);
}

/** A `ResourceSpans`, `ResourceLogs` or `ResourceMetrics`. */
function readGroup(reading: OtlpReading, group: JsonObject, level: number): void {
  let resource: Resource | undefined;
  for (const key of bareKeys) {
    if (group[key] === undefined) continue;
    resource ??= readResource(reading, group['resource']);
    const around = resource;
    eachOf(reading, group[key], { key, level }, (scoped) => readScoped(reading, scoped, around, level + 1));
  }
}

function readScoped(reading: OtlpReading, scoped: JsonObject, resource: Resource, level: number): void {
  const { metrics } = scoped;
  if (Array.isArray(metrics)) reading.metrics += metrics.length;
  const scope = readScope(reading, scoped);
  readRows(reading, reading.rowsOf(scoped['spans']), { key: 'spans', level }, (row) => {
    const span = row instanceof SpanRecord ? placed(row, resource, scope) : readSpan(reading, row, resource, scope);
    if (span !== undefined) reading.spans.push(span);
  });
  const logKey = scoped['logRecords'] === undefined ? 'log_records' : 'logRecords';
  readRows(reading, scoped[logKey], { key: logKey, level }, (row) => {
    const record = readLogRecord(reading, row, resource, scope);
    if (record !== undefined) reading.logs.push(record);
  });
}

function placed(span: SpanRecord, resource: Resource, scope: Scope): Span {
  span.resource = resource;
  span.scope = scope;
  return span;
}

function readRows(reading: OtlpReading, rows: unknown, place: Level, read: (row: unknown) => void): void {
  if (rows === undefined || rows === null) return;
  if (!Array.isArray(rows)) {
    reading.problem('bad-list', `expected a list, got ${kindOf(rows)}`, place.key);
    return;
  }
  for (let i = 0; i < rows.length; i += 1) {
    reading.stand(place.level, place.key, i);
    read(rows[i]);
  }
  reading.leave(place.level);
}

function readResource(reading: OtlpReading, value: unknown): Resource {
  const object = isObject(value) ? value : {};
  const dropped = object['droppedAttributesCount'] ?? object['dropped_attributes_count'];
  return {
    attributes: readAttributes(reading, object['attributes'], 'resource.attributes'),
    droppedAttributesCount: readUint32(reading, dropped, 'resource.droppedAttributesCount'),
  };
}

function readScope(reading: OtlpReading, scoped: JsonObject): Scope {
  const value =
    scoped['scope'] ??
    scoped['instrumentationLibrary'] ??
    scoped['instrumentation_library'] ??
    scoped['instrumentationScope'];
  if (!isObject(value)) return noScope;
  const dropped = value['droppedAttributesCount'] ?? value['dropped_attributes_count'];
  return {
    name: reading.shared.share(readText(reading, value['name'], 'scope.name')),
    version: reading.shared.share(readText(reading, value['version'], 'scope.version')),
    attributes: readAttributes(reading, value['attributes'], 'scope.attributes'),
    droppedAttributesCount: readUint32(reading, dropped, 'scope.droppedAttributesCount'),
  };
}

/** What a document without a known key may be, by keys that give it away. */
const otherForms: readonly (readonly [test: (value: JsonObject) => boolean, name: string])[] = [
  [(value) => isObject(value['trace']) || Array.isArray(value['trace']), 'an answer of Tempo v2 (key "trace")'],
  [(value) => 'result' in value, 'an answer of Jaeger v3 (key "result")'],
  [(value) => 'data' in value, 'an answer of Jaeger v1 (key "data")'],
  [(value) => 'spanContext' in value || '_spanContext' in value, 'a dump of SDK spans (key "spanContext")'],
  [(value) => 'localEndpoint' in value, 'a Zipkin span'],
  [(value) => 'traceID' in value && 'spans' in value, 'one trace of Jaeger v1'],
  [(value) => 'resource' in value, 'a resource without its scopeSpans'],
  [(value) => 'spans' in value, 'an object with "spans" and no resourceSpans around it'],
];

function notOtlp(reading: OtlpReading, document: unknown): OtelEvalError {
  const form = isObject(document) ? otherForms.find(([test]) => test(document))?.[1] : undefined;
  const looks = form ?? (isObject(document) ? 'an object with none of these keys' : kindOf(document));
  return reading.error(
    'OTEL_EVAL_NOT_A_TRACE',
    `expected OTLP/JSON (resourceSpans, resourceLogs or resourceMetrics), got ${looks}`,
    '',
  );
}
