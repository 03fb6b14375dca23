import { parseExactJson } from '../../src/trace/exact-json.ts';
import { decodeJaegerObject, jaegerLosses } from '../../src/trace/jaeger-json.ts';
import { decodeOtlpObject } from '../../src/trace/otlp-json.ts';
import { type OtlpBatch, OtlpReading } from '../../src/trace/otlp-reading.ts';
import type { Span } from '../../src/trace/span.ts';
import { type Answer, jsonOf, textOf } from '../http/answer.ts';
import type { HttpSource } from '../http/http-source.ts';
import { ofOneTrace } from '../polling/of-one-trace.ts';
import { answerWithinBound, emptyAnswer, type TraceAnswer } from '../polling/trace-answer.ts';
import type { Until } from '../polling/until.ts';
import { isRouteMissing, isUnwritable, isWebPage, notJaeger, v3Results } from './jaeger-answers.ts';

/** Reads traces by id: v3 (OTLP); v1 (Jaeger's own JSON) where the server has no such route. */
export class JaegerTraceReader {
  readonly #server: HttpSource;
  #version: 'v3' | 'v1' = 'v3';

  constructor(server: HttpSource) {
    this.#server = server;
  }

  /** One reading of a trace; no rows where it is not there. `traceId`: 32 lower-case hex digits. */
  read(traceId: string, until: Until): Promise<TraceAnswer> {
    return answerWithinBound(
      () => this.#read(traceId, until),
      () => `jaeger-${this.#version}`,
    );
  }

  async #read(traceId: string, until: Until): Promise<TraceAnswer> {
    if (this.#version === 'v3') {
      // Both spellings: old servers know only one, and ignore the other.
      const answer = await this.#ask(`/api/v3/traces/${traceId}`, ['rawTraces', 'raw_traces'], until);
      if (!isRouteMissing(answer)) return this.#readV3(traceId, answer);
    }
    const answer = await this.#ask(`/api/traces/${traceId}`, ['raw'], until);
    if (isRouteMissing(answer)) throw notJaeger(this.#server.address.shown, `HTTP ${answer.status} and no trace`);
    this.#version = 'v1';
    return this.#readV1(traceId, answer);
  }

  #ask(path: string, raw: readonly string[], until: Until): Promise<Answer> {
    // Raw: without it the server renames ids, drops repeats and may shift times.
    const parameters = new URLSearchParams(raw.map((name): [string, string] => [name, 'true']));
    const takes = (answer: Answer) => isWebPage(answer) || isUnwritable(answer);
    return this.#server.ask({ path, parameters, accept: 'application/json', takes }, until);
  }

  #readV3(traceId: string, answer: Answer): TraceAnswer {
    const format = 'jaeger-v3';
    if (answer.status === 404) return emptyAnswer(format);
    if (answer.body.length === 0 || isUnwritable(answer)) return unwritable(format);
    const source = this.#server.address.shown;
    const batches = v3Results(textOf(answer), source).map((result) => decodeOtlpObject(result, { source }));
    const { spans, logs, problems } = ofOneTrace(together(batches), traceId);
    return { rows: spans, logs, problems, serverSays: undefined, losses: spans.flatMap(changedEnd), format };
  }

  #readV1(traceId: string, answer: Answer): TraceAnswer {
    const format = 'jaeger-v1';
    if (answer.status === 404) return emptyAnswer(format);
    if (answer.body.length === 0 || isUnwritable(answer)) return unwritable(format);
    const source = this.#server.address.shown;
    if (jsonOf(answer)?.['data'] === undefined) throw notJaeger(source, 'JSON without data');
    const batch = decodeJaegerObject(parseExactJson(textOf(answer), { source }), { source });
    const { spans, logs, problems } = ofOneTrace(batch, traceId);
    const losses = spans.length === 0 ? [] : jaegerLosses;
    return { rows: spans, logs, problems, serverSays: undefined, losses, format };
  }
}

function together(batches: readonly OtlpBatch[]): OtlpBatch {
  const [only] = batches;
  if (batches.length === 1 && only !== undefined) return only;
  const all = new OtlpReading({});
  for (const { spans, logs, problems } of batches) {
    all.spans.push(...spans);
    all.logs.push(...logs);
    all.problems.push(...problems);
  }
  return all;
}

/** 500 with a text of its own on newer servers, 200 without a body on older ones. */
function unwritable(format: string): TraceAnswer {
  return {
    ...emptyAnswer(format),
    serverSays: 'partial',
    losses: ['this server cannot write the trace, probably because a number in it is not finite'],
  };
}

/** Jaeger gives a span that ended at its start, or before it, an end 1 ns after its start. */
function changedEnd({ spanId, startUnixNano, endUnixNano }: Span): string[] {
  return endUnixNano !== undefined && endUnixNano - startUnixNano === 1n
    ? [`end of span ${spanId} perhaps changed by Jaeger to 1 ns after its start`]
    : [];
}
