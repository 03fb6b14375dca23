import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What is read, for the sentence that refuses everything else. */
export const expectedForms = 'OTLP (JSON, YAML or protobuf), an answer of Tempo, or Jaeger JSON';

export interface Place {
  readonly source?: string;
  /** 1-based; absent or 0 where the whole input is meant. */
  readonly line?: number;
}

const refusals = new WeakMap<object, string>();

/** Of an error that says "this is something else than a trace", and not "a trace is damaged": what it is instead. */
export function refusedAs(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? refusals.get(error) : undefined;
}

/** The error for something that is no trace in a form that is read: one sentence that says what it is. */
export function refusal(what: string, { source = 'the input', line = 0 }: Place): OtelEvalError {
  const where = line > 1 ? `${source}, line ${line}` : source;
  const error = new OtelEvalError('OTEL_EVAL_NOT_A_TRACE', `${where} is ${what}; expected ${expectedForms}`, {
    source,
    ...(line > 0 ? { line } : {}),
  });
  refusals.set(error, what);
  return error;
}

/** The same for a JSON value that was parsed. */
export function notATrace(value: unknown, place: Place): OtelEvalError {
  return refusal(foreignForm(value), place);
}

/** What a JSON value is, told by its keys; nothing of its content. */
export function foreignForm(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty JSON list';
    const first: unknown = Array.isArray(value[0]) ? value[0][0] : value[0];
    return isObject(first) ? foreignObject(first) : `a JSON list of ${kindOf(first)}`;
  }
  return isObject(value) ? foreignObject(value) : `JSON, but only ${kindOf(value)}`;
}

function foreignObject(object: JsonObject): string {
  return foreignForms.find(([, test]) => test(object))?.[0] ?? 'JSON without any key of a trace';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return (
    { string: 'texts', number: 'numbers', bigint: 'numbers', boolean: 'booleans' }[String(typeof value)] ?? 'lists'
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True where all of these keys are there. */
function has(...keys: readonly string[]): (object: JsonObject) => boolean {
  return (object) => keys.every((key) => key in object);
}

/** The first member of a list, or of an object whose members are alike. */
function firstOf(value: unknown): JsonObject {
  const first: unknown = isObject(value) ? Object.values(value)[0] : Array.isArray(value) ? value[0] : undefined;
  return isObject(first) ? first : {};
}

function inner(key: string, test: (object: JsonObject) => boolean): (object: JsonObject) => boolean {
  return (object) => isObject(object[key]) && test(object[key]);
}

function firstHas(key: string, ...keys: readonly string[]): (object: JsonObject) => boolean {
  return (object) => has(...keys)(firstOf(object[key]));
}

function either(...tests: readonly ((object: JsonObject) => boolean)[]): (object: JsonObject) => boolean {
  return (object) => tests.some((test) => test(object));
}

/** Exports and dumps that people have at hand, the more telling keys first. */
const foreignForms: readonly (readonly [what: string, test: (object: JsonObject) => boolean])[] = [
  ['a report or view of otel-eval', (object) => String(object['schema']).startsWith('otel-eval/')],
  ['a Langfuse export (trace with observations)', either(has('trace', 'observations'), has('observations', 'scores'))],
  ['a Langfuse observation', either(has('parentObservationId', 'traceId'), has('traceId', 'totalCost', 'type'))],
  ['a LangSmith batch (post and patch of runs)', either(has('post', 'patch'), firstHas('post', 'run_type'))],
  [
    'a LangSmith run',
    either(has('run_type', 'dotted_order'), has('run_type', 'inputs'), has('dotted_order', 'trace_id')),
  ],
  ['a Braintrust log', either(has('_is_merge'), has('span_attributes', 'root_span_id'), has('span_parents', 'log_id'))],
  ['an AgentV execution trace', (object) => String(object['schema_version']).startsWith('agentv.')],
  ['an Inspect evaluation log', either(has('eval', 'plan', 'samples'), has('eval', 'samples', 'status'))],
  [
    'a SWE-agent trajectory',
    either(has('trajectory'), firstHas('history', 'role', 'message_type'), firstHas('history', 'role', 'agent')),
  ],
  ['a test report of Vitest or Jest', has('numTotalTests', 'testResults')],
  ['a promptfoo result', has('evalId', 'results')],
  ['a dump of OpenTelemetry SDK spans (spanContext)', either(has('spanContext'), has('_spanContext'))],
  ['an OpenTelemetry log-record dump', either(has('body', 'severity_number'), has('body', 'severityNumber'))],
  [
    'the output of an OpenTelemetry console exporter',
    either(inner('context', has('trace_id')), inner('context', has('traceId'))),
  ],
  [
    'a Zipkin trace',
    either(has('traceId', 'localEndpoint'), has('traceId', 'id', 'timestamp'), has('traceId', 'id', 'annotations')),
  ],
  [
    'a Genkit trace',
    either(
      inner('spans', (spans) => has('spanId', 'traceId')(firstOf(spans))),
      has('traceId', 'timeEvents'),
    ),
  ],
  ['a list of seed rows of SigNoz', has('span_id', 'offset_ms', 'resources')],
  [
    'a Datadog trace',
    either(has('trace_id', 'span_id', 'service', 'meta'), has('trace_id', 'span_id', 'service', 'resource')),
  ],
  ['an AWS X-Ray trace', either(firstHas('Traces', 'Segments'), has('Segments', 'Id'), has('trace_id', 'subsegments'))],
  [
    'an MLflow trace',
    either(
      inner('data', has('spans', 'request')),
      inner('info', has('request_id')),
      inner('info', has('trace_info_version')),
    ),
  ],
  ['a Chrome trace', has('traceEvents')],
  ['an Elastic APM event', either(has('transaction', 'processor'), has('metadata', 'service'))],
  [
    'a Jaeger trace in the form of its storage (base64 ids)',
    either(firstHas('spans', 'operationName', 'spanId'), has('operationName', 'traceId')),
  ],
  ['a trace as a flat list of spans (span_name, parent_id)', firstHas('spans', 'span_name')],
  ['a trace as a flat list of spans (snake_case)', either(firstHas('spans', 'span_id'), has('trace_id', 'span_id'))],
  ['a trace as a flat list of spans', either(firstHas('spans', 'spanId'), has('traceId', 'spanId'))],
  ['an object with spans and no resourceSpans around them', has('spans')],
  ['a chat transcript (messages)', either(has('messages'), has('role', 'content'))],
  [
    'an error answer of a server',
    either(inner('error', has('message')), has('error', 'status'), has('message', 'code')),
  ],
  ['a package.json', has('name', 'version', 'dependencies')],
  ['a resource without its spans', has('resource')],
];
