import { cutValues } from '../../src/trace/cut-values.ts';
import { OtelEvalError } from '../../src/trace/otel-eval-error.ts';
import { decodeOtlpProtobuf } from '../../src/trace/otlp-protobuf.ts';
import { type OtlpBatch, SharedStrings } from '../../src/trace/otlp-reading.ts';
import { decodeTempoObject, tempoStatus } from '../../src/trace/tempo-json.ts';
import { openTempoEnvelope, type TempoEnvelope } from '../../src/trace/tempo-protobuf.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import type { HttpSource } from '../http/http-source.ts';
import { ofOneTrace } from '../polling/of-one-trace.ts';
import { answerWithinBound, emptyAnswer, type TraceAnswer } from '../polling/trace-answer.ts';
import type { Until } from '../polling/until.ts';

const protobuf = 'application/protobuf';

/** Said explicitly: where the operator prunes by default, a trace comes back as a summary of itself. */
const unpruned = new URLSearchParams({ span_pruning: 'false' });

/** Reads traces by id: v2 in protobuf; v1 where the server is too old to have that route. */
export class TempoTraceReader {
  readonly #server: HttpSource;
  #version: 'v2' | 'v1' = 'v2';
  #shared = new SharedStrings();

  constructor(server: HttpSource) {
    this.#server = server;
  }

  /**
   * One reading of a trace; no rows where it is not there, `too-large` where the server or our own bound on an answer
   * says so. `traceId`: 32 lower-case hex digits.
   */
  read(traceId: string, until: Until): Promise<TraceAnswer> {
    return answerWithinBound(
      () => this.#read(traceId, until),
      () => `tempo-${this.#version}`,
    );
  }

  async #read(traceId: string, until: Until): Promise<TraceAnswer> {
    if (this.#version === 'v2') {
      const answer = await this.#ask(`/api/v2/traces/${traceId}`, until);
      if (!isRouteMissing(answer)) return this.#readAnswer(traceId, answer, 'v2');
    }
    const answer = await this.#ask(`/api/traces/${traceId}`, until);
    if (isRouteMissing(answer)) throw notTempo(this.#server.address.shown, `HTTP ${answer.status}, page not found`);
    this.#version = 'v1';
    return this.#readAnswer(traceId, answer, 'v1');
  }

  #ask(path: string, until: Until): Promise<Answer> {
    return this.#server.ask({ path, parameters: unpruned, accept: protobuf }, until);
  }

  #readAnswer(traceId: string, answer: Answer, version: 'v1' | 'v2'): TraceAnswer {
    if (answer.status === 404) return this.#notFound(answer, version);
    if (answer.status === 422) return emptyAnswer(`tempo-${version}`, 'too-large');
    const source = this.#server.address.shown;
    const options = { source, shared: this.#shared };
    if (!/protobuf|octet-stream/.test(answer.contentType)) {
      const { batch, serverSays } = decodeTempoObject(this.#json(answer), options);
      const ofServer = serverSays === 'not-found' ? undefined : serverSays;
      const marks = { mayBeCut: true, mayBePruned: true };
      return answerOf(traceId, batch, { format: `tempo-${version}-json`, serverSays: ofServer, ...marks });
    }
    const { trace, status, message } = version === 'v2' ? openTempoEnvelope(answer.body, source) : whole(answer.body);
    if (trace.length === 0) return emptyAnswer(`tempo-${version}-protobuf`);
    const batch = decodeOtlpProtobuf(trace, options);
    const serverSays = tempoStatus(status, message);
    return answerOf(traceId, batch, { format: `tempo-${version}-protobuf`, serverSays, ...marksIn(trace) });
  }

  /** Tempo says it without a body or in plain words, never in JSON. */
  #notFound(answer: Answer, version: 'v1' | 'v2'): TraceAnswer {
    if (jsonOf(answer) !== undefined) throw notTempo(this.#server.address.shown, 'HTTP 404 with JSON');
    return emptyAnswer(`tempo-${version}`);
  }

  #json(answer: Answer): Record<string, unknown> {
    const json = jsonOf(answer);
    if (json !== undefined && ['trace', 'batches', 'resourceSpans'].some((key) => isObject(json[key]))) return json;
    if (json !== undefined && json['trace'] === null) return json;
    const got = json === undefined ? `content of type ${answer.contentType || 'none'}` : 'JSON without a trace';
    throw notTempo(this.#server.address.shown, got);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function whole(body: Uint8Array): TempoEnvelope {
  return { trace: body, status: 'COMPLETE', message: '' };
}

/** The router knows no such path. Not the same as "no such trace", which has an empty body or other words. */
function isRouteMissing(answer: Answer): boolean {
  return answer.status === 404 && /page not found/i.test(textOf(answer));
}

/** On the spans that Tempo makes up when it prunes; each stands for several that were left out. */
const summaryMark = 'aggregation.is_summary';

/** What a message may hold. Searching its bytes is cheaper than visiting its attributes. */
function marksIn(message: Uint8Array): Pick<AnswerForm, 'mayBeCut' | 'mayBePruned'> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  return { mayBeCut: holdsCutLength(bytes), mayBePruned: bytes.includes(summaryKey) };
}

/** A string of exactly the length that a stock Tempo cuts to: field 1 of `AnyValue`, 2,048 bytes long. */
function holdsCutLength(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(cutLength); at >= 0; at = bytes.indexOf(cutLength, at + 1)) {
    if (bytes[at - 1] === stringField) return true;
  }
  return false;
}

/** Short, and rare in their first byte, which is how such a search is fast: the tag before them stands everywhere. */
const cutLength = Buffer.from([0x80, 0x10]);
const summaryKey = Buffer.from(`${String.fromCharCode(summaryMark.length)}${summaryMark.slice(0, 3)}`);
const stringField = 0x0a;

interface AnswerForm extends Pick<TraceAnswer, 'format' | 'serverSays'> {
  readonly mayBeCut: boolean;
  readonly mayBePruned: boolean;
}

function answerOf(traceId: string, batch: OtlpBatch, form: AnswerForm): TraceAnswer {
  const { spans, logs, problems } = ofOneTrace(batch, traceId);
  const isPruned = form.mayBePruned && spans.some(({ attributes }) => attributes.get(summaryMark) === true);
  return {
    rows: spans,
    logs,
    problems,
    serverSays: isPruned ? 'pruned' : form.serverSays,
    losses: form.mayBeCut ? spans.flatMap(cutValues) : [],
    format: form.format,
  };
}

function notTempo(shown: string, got: string): OtelEvalError {
  return new OtelEvalError('OTEL_EVAL_WRONG_SERVER', `${shown}: expected Tempo, got ${got}`, {
    source: shown,
    hint: 'Check --url: host, port and path prefix; /api/echo below it should answer "echo".',
  });
}
