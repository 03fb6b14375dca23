import type { Run } from '../../agent/run.ts';
import { createRunReader, type RunReader } from '../../agent/run-reader.ts';
import { factStamps } from '../../agent/stamp-facts.ts';
import { encodeOtlpJson, encodeOtlpLogsJson } from '../../trace/encode-otlp-json.ts';
import type { LogRecord } from '../../trace/log-record.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import { ContentRedactor } from '../../trace/privacy/content-redactor.ts';
import type { Span } from '../../trace/span.ts';
import type { RepeatedSpan, Trace } from '../../trace/trace.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';

/** States that a copy could not tell: it would look whole. */
const untold = new Set(['partial', 'too-large', 'pruned', 'growing']);

/** Lines of OTLP/JSON without content, trace by trace. */
export class ShareableCopy {
  readonly #redactor = new ContentRedactor();
  readonly #reader: RunReader = createRunReader();
  /** Traces whose run may still go on. */
  readonly #waiting = new Map<string, CollectedTrace>();
  readonly #lines: string[] = [];
  #traces = 0;
  #spans = 0;

  get counts(): { readonly traces: number; readonly spans: number; readonly replaced: number } {
    return { traces: this.#traces, spans: this.#spans, replaced: this.#redactor.replaced };
  }

  add(group: readonly CollectedTrace[]): void {
    for (const each of group) {
      assertTellable(each);
      if (each.trace.spans.length > 0) this.#waiting.set(each.trace.traceId, each);
    }
    this.#write(this.#reader.add(group));
  }

  /** No further trace comes. */
  end(): void {
    this.#write(this.#reader.end());
  }

  #write(runs: readonly Run[]): void {
    const stamps = factStamps(runs);
    for (const { traceId } of runs.flatMap(({ traces }) => traces)) {
      const collected = this.#waiting.get(traceId);
      if (collected !== undefined) this.#writeTrace(collected, stamps);
      this.#waiting.delete(traceId);
    }
  }

  #writeTrace({ trace, facts }: CollectedTrace, stamps: ReturnType<typeof factStamps>): void {
    const rows = trace.spans.flatMap((span) => {
      const attributes = new Map([...span.attributes, ...(stamps.get(span) ?? [])]);
      return copies(this.#redactor.span({ ...span, attributes }), trace.duplicates);
    });
    const document = encodeOtlpJson([...rows, ...announced(trace)]);
    // What came from a server stays known as such: it may have lost spans without a word.
    this.#lines.push(facts.remote ? `{"trace":${document}}` : document);
    this.logs(trace.logs);
    this.#traces += 1;
    this.#spans += trace.spans.length;
  }

  logs(records: readonly LogRecord[]): void {
    if (records.length > 0) this.#lines.push(encodeOtlpLogsJson(records.map((record) => this.#redactor.log(record))));
  }

  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

function assertTellable({ trace, completeness, facts }: CollectedTrace): void {
  if (!untold.has(completeness.state) && !facts.cut) return;
  const state = facts.cut ? 'cut off' : completeness.state;
  throw new OtelEvalError(
    'OTEL_EVAL_NOT_A_TRACE',
    `trace ${trace.traceId} is ${state}, and a copy of it would look whole: nothing was written`,
    { hint: 'collect it again when it is whole (--deadline), or leave it out with --trace-id' },
  );
}

/** Rows that came more than once come so again; of those that differed, how they did is content and a mark stands for it. */
function copies(span: Span, duplicates: readonly RepeatedSpan[]): Span[] {
  const { rows = 1, same = true } = duplicates.find(({ spanId }) => spanId === span.spanId) ?? {};
  const earlier = Array.from({ length: rows - 1 }, (_, i): Span => {
    if (same) return span;
    return { ...span, status: { ...span.status, message: `[redacted copy ${i + 1}]` } };
  });
  return [...earlier, span];
}

/** Spans that were announced and never came: rows without an end keep the trace from looking finished. */
function announced({ unfinished, spans, traceId }: Trace): Span[] {
  const [first] = spans;
  if (first === undefined) return [];
  return unfinished.map((spanId) => ({
    ...first,
    traceId,
    spanId,
    parentSpanId: first.spanId,
    name: '[redacted unfinished]',
    endUnixNano: undefined,
    attributes: new Map(),
    events: [],
    links: [],
    status: { code: 'unset', message: '' },
  }));
}
