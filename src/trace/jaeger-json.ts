import type { AttributeValue } from './attributes.ts';
import { spanIdOf, traceIdOf } from './jaeger-id.ts';
import { type BinaryForm, type JaegerTag, tagsOf, tagsOfObject, tagValue } from './jaeger-tag.ts';
import { type DecodeOptions, type OtlpBatch, OtlpReading } from './otlp-reading.ts';
import type { Resource, Scope, Span, SpanEvent, SpanKind, SpanLink, StatusCode } from './span.ts';
import { noEvents, noLinks, SpanRecord, statusOf } from './span-record.ts';

/** What every trace read from Jaeger's own JSON has lost. */
export const jaegerLosses: readonly string[] = ['times in microseconds (Jaeger JSON)'];

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads Jaeger's own JSON, parsed: the API's `{ data: [trace] }` (also where `data` is one trace), one trace
 * (`{ traceID, spans, processes }`), one span as an Elasticsearch document, or a list of these. Integers beyond 2^53
 * must be `bigint` in it. A row without readable ids becomes a problem.
 *
 * Mapped back to OpenTelemetry: kind, status, scope and trace state from the tags that Jaeger makes of them, the parent
 * from the references into the same trace; every other reference is a link.
 */
export function decodeJaegerObject(document: unknown, options: DecodeOptions = {}): OtlpBatch {
  const reading = new OtlpReading(options);
  const data = isObject(document) && 'data' in document ? document['data'] : document;
  const list = Array.isArray(data) ? data : [data];
  list.forEach((item, i) => {
    reading.stand(0, data === document ? '' : 'data', Array.isArray(data) ? i : -1);
    if (isObject(item)) readTraceOrSpan(reading, item);
    else if (item !== null) reading.problem('bad-trace', 'expected an object', '');
  });
  return reading;
}

function readTraceOrSpan(reading: OtlpReading, item: JsonObject): void {
  const { spans } = item;
  if (!Array.isArray(spans)) {
    readRow(reading, item, { resources: new Map(), binary: 'hex' });
    return;
  }
  const resources = resourcesOf(item['processes']);
  spans.forEach((span, i) => {
    reading.stand(1, 'spans', i);
    if (isObject(span)) readRow(reading, span, { resources, binary: 'base64' });
    else reading.problem('bad-span', 'expected an object', '');
  });
}

interface Surroundings {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly binary: BinaryForm;
}

function resourcesOf(processes: unknown): Map<string, Resource> {
  if (!isObject(processes)) return new Map();
  return new Map(Object.entries(processes).map(([id, process]) => [id, resourceOf(process, 'base64')]));
}

const noResource: Resource = { attributes: new Map(), droppedAttributesCount: 0 };

function resourceOf(process: unknown, binary: BinaryForm): Resource {
  if (!isObject(process)) return noResource;
  const { serviceName } = process;
  const attributes = new Map<string, AttributeValue>();
  if (typeof serviceName === 'string' && serviceName !== '' && serviceName !== 'OTLPResourceNoServiceName') {
    attributes.set('service.name', serviceName);
  }
  for (const tag of [...tagsOf(process['tags']).tags, ...tagsOfObject(process['tag'])]) {
    attributes.set(tag.key, tagValue(tag, binary));
  }
  return { attributes, droppedAttributesCount: 0 };
}

function readRow(reading: OtlpReading, row: JsonObject, { resources, binary }: Surroundings): void {
  const traceId = traceIdOf(reading, row['traceID'], 'traceID');
  const spanId = spanIdOf(reading, row['spanID'], 'spanID');
  if (traceId === undefined || spanId === undefined) return;
  const start = nanoseconds(reading, row['startTime'], 'startTime');
  const duration = nanoseconds(reading, row['duration'], 'duration');
  const { tags, unreadable } = tagsOf(row['tags']);
  if (unreadable > 0) reading.problem('bad-tag', `expected tags with a key, got ${unreadable} without`, 'tags');
  const told = new ToldByTags([...tags, ...tagsOfObject(row['tag'])], binary);
  const { parentSpanId, links } = readReferences(reading, row, traceId);
  const span: Span = {
    traceId,
    spanId,
    parentSpanId,
    name: typeof row['operationName'] === 'string' ? row['operationName'] : '',
    kind: told.kind(),
    startUnixNano: start ?? 0n,
    endUnixNano: duration === undefined ? undefined : (start ?? 0n) + duration,
    status: statusOf(told.statusCode(), told.text('otel.status_description')),
    attributes: told.attributes(),
    events: readLogs(reading, row['logs'], binary),
    links,
    resource: resources.get(String(row['processID'])) ?? resourceOf(row['process'], binary),
    scope: told.scope(),
    traceState: told.text('w3c.tracestate'),
    flags: typeof row['flags'] === 'number' ? row['flags'] & 1 : 0,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  reading.spans.push(SpanRecord.of(span));
}

/** Microseconds as nanoseconds; `undefined` where absent or unreadable (a problem names it). */
function nanoseconds(reading: OtlpReading, value: unknown, field: string): bigint | undefined {
  if (typeof value === 'bigint') return value * 1_000n;
  if (typeof value === 'string' && /^-?\d{1,18}$/.test(value)) return BigInt(value) * 1_000n;
  if (typeof value === 'number' && Number.isFinite(value)) {
    const whole = Math.floor(value);
    return BigInt(whole) * 1_000n + BigInt(Math.round((value - whole) * 1_000));
  }
  if (value !== undefined && value !== null) {
    reading.problem('bad-time', 'expected microseconds as a number', field);
  }
  return undefined;
}

const kinds: readonly SpanKind[] = ['internal', 'server', 'client', 'producer', 'consumer'];

/** What Jaeger makes tags of when it takes OTLP in; no attributes of the span. */
const toldElsewhere = new Set([
  'span.kind',
  'internal.span.format',
  'otel.status_code',
  'otel.status_description',
  'otel.scope.name',
  'otel.scope.version',
  'otel.library.name',
  'otel.library.version',
  'w3c.tracestate',
]);

class ToldByTags {
  readonly #values: Map<string, AttributeValue>;

  constructor(tags: readonly JaegerTag[], binary: BinaryForm) {
    this.#values = new Map(tags.map((tag) => [tag.key, tagValue(tag, binary)]));
  }

  text(key: string): string {
    const value = this.#values.get(key);
    return typeof value === 'string' ? value : '';
  }

  kind(): SpanKind {
    const told = this.text('span.kind').toLowerCase();
    return kinds.find((kind) => kind === told) ?? 'unspecified';
  }

  statusCode(): StatusCode {
    const told = this.text('otel.status_code').toUpperCase();
    if (told === 'OK') return 'ok';
    const error = this.#values.get('error');
    return told === 'ERROR' || error === true || error === 'true' ? 'error' : 'unset';
  }

  scope(): Scope {
    return {
      name: this.text('otel.scope.name') || this.text('otel.library.name'),
      version: this.text('otel.scope.version') || this.text('otel.library.version'),
      attributes: new Map(),
      droppedAttributesCount: 0,
    };
  }

  attributes(): Map<string, AttributeValue> {
    const left = [...this.#values].filter(
      ([key, value]) => !toldElsewhere.has(key) && !(key === 'error' && typeof value === 'boolean'),
    );
    return new Map(left);
  }
}

interface Reference {
  readonly refType: unknown;
  readonly traceId: string;
  readonly spanId: string;
}

/** The parent is the first CHILD_OF into the same trace, without one the first FOLLOWS_FROM, as Jaeger draws it. */
function readReferences(
  reading: OtlpReading,
  row: JsonObject,
  traceId: string,
): { parentSpanId: string | undefined; links: readonly SpanLink[] } {
  const references = referencesOf(reading, row);
  const inTrace = references.filter((reference) => reference.traceId === traceId);
  const parent =
    inTrace.find(({ refType }) => refType === 'CHILD_OF') ?? inTrace.find(({ refType }) => refType === 'FOLLOWS_FROM');
  const links = references.filter((reference) => reference !== parent).map(linkTo);
  const told = isNoParent(row['parentSpanID']) ? undefined : spanIdOf(reading, row['parentSpanID'], 'parentSpanID');
  return { parentSpanId: parent?.spanId ?? told, links: links.length === 0 ? noLinks : links };
}

function referencesOf(reading: OtlpReading, row: JsonObject): Reference[] {
  const list: unknown[] = Array.isArray(row['references']) ? row['references'] : [];
  return list.flatMap((entry, i) => {
    if (!isObject(entry)) return [];
    const traceId = traceIdOf(reading, entry['traceID'] ?? row['traceID'], `references[${i}].traceID`);
    const spanId = spanIdOf(reading, entry['spanID'], `references[${i}].spanID`);
    return traceId === undefined || spanId === undefined ? [] : [{ refType: entry['refType'], traceId, spanId }];
  });
}

function linkTo({ traceId, spanId }: Reference): SpanLink {
  return { traceId, spanId, traceState: '', attributes: new Map(), droppedAttributesCount: 0, flags: 0 };
}

/** Old Elasticsearch documents hold the parent in a member of its own. */
function isNoParent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && /^0*$/.test(value));
}

function readLogs(reading: OtlpReading, logs: unknown, binary: BinaryForm): readonly SpanEvent[] {
  if (!Array.isArray(logs) || logs.length === 0) return noEvents;
  return logs.filter(isObject).map((log, i): SpanEvent => {
    const values = new Map(tagsOf(log['fields']).tags.map((tag) => [tag.key, tagValue(tag, binary)]));
    const nameKey = ['event', 'message'].find((key) => typeof values.get(key) === 'string');
    const name = nameKey === undefined ? '' : String(values.get(nameKey));
    if (nameKey !== undefined) values.delete(nameKey);
    const timeUnixNano = nanoseconds(reading, log['timestamp'], `logs[${i}].timestamp`) ?? 0n;
    return { timeUnixNano, name, attributes: values, droppedAttributesCount: 0 };
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
