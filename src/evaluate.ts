import { assertions } from '../assertions/index.ts';
import { packageVersion } from './package-version.ts';
import { judgeCollection } from './report/judge-collection.ts';
import type { Report } from './report/report.ts';
import { collectorOfSpans, type SpanGiver } from './suite/collector-of-spans.ts';
import { parseSuite } from './suite/parse-suite.ts';
import type { SuiteDocument } from './suite/suite-document.ts';
import { suiteError } from './suite/suite-problem.ts';
import { OtelEvalError } from './trace/otel-eval-error.ts';

export interface EvaluateOptions {
  /** `settled`: on a remote source a trace that has settled is enough. Default `proven`. */
  readonly completeness?: 'proven' | 'settled';
  /** All traces are one run. Default `false`. */
  readonly oneRun?: boolean;
  /** Scopes that make a span for every model and tool call, failed ones too. Default: those of the suite. */
  readonly instrumented?: readonly string[];
  /** Only these traces. Default: all. */
  readonly traceIds?: readonly string[];
  /** Digests of arguments, for `argumentsDigest`. Default: none. */
  readonly digest?: (value: unknown) => string | null;
  /** Leaves times and durations out. Default `false`. */
  readonly deterministic?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Judges traces by a suite and returns the report. A verdict never throws; what keeps us from looking (an invalid suite, a
 * file that is no trace) throws an `OtelEvalError`.
 *
 * @param suite as written in YAML, or made by `defineSuite`
 * @param traces a collector, or finished spans of the SDK or an exporter that holds them
 *
 * @example
 * const report = await evaluate(suite, exporter.getFinishedSpans());
 * if (report.status !== 'passed') console.log(formatTerminal(report));
 */
export async function evaluate(
  suite: SuiteDocument,
  traces: SpanGiver,
  options: EvaluateOptions = {},
): Promise<Report> {
  const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
  const { value, problems } = parseSuite(suite, registry, { name: suite.name ?? null });
  if (value === undefined) throw suiteError('suite', problems);
  if (value.traces.projections !== undefined) {
    const hint = 'give their rows to ExecutionTraceJoined: executionTraceJoined({ projections: { ui: rows } })';
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'evaluate() reads no files, and the suite names traces.projections', {
      hint,
    });
  }
  const collector = await collectorOfSpans(traces);
  return judgeCollection(value, await collector.collect(options.signal), {
    version: packageVersion(),
    now: () => Date.now(),
    accepted: options.completeness ?? 'proven',
    oneRun: options.oneRun ?? false,
    instrumented: options.instrumented ?? [value.traces.instrumented ?? []].flat(),
    traceIds: options.traceIds ?? [],
    digest: options.digest ?? (() => null),
    deterministic: options.deterministic ?? false,
    rerun: () => null,
  });
}
