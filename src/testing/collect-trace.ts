import { requestedTraceId } from '../../collectors/polling/requested-trace-id.ts';
import { AgentRun } from '../agent/agent-run.ts';
import type { Run } from '../agent/run.ts';
import { createRunReader } from '../agent/run-reader.ts';
import { isSelected, type RunSelection } from '../suite/run-selection.ts';
import { completenessOf } from '../trace/completeness-of.ts';
import { OtelEvalError } from '../trace/otel-eval-error.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { collectedFrom, type TraceSource } from './collected-from.ts';
import { type RecordedRun, recordedRun } from './recorded-run.ts';
import { toldError } from './told-error.ts';

/** Which run of the source is meant, and on what a verdict may rest; as the flags of `otel-eval check`. */
export interface RunChoice extends RunSelection {
  /** All traces that are read are one run. Default `false`: by run id, or agent span at the top. */
  readonly oneRun?: boolean;
  /** Traces of one conversation are one run. */
  readonly runBy?: 'conversation';
  /** Scopes that make a span for every model and tool call, failed ones too: your word for it. */
  readonly instrumented?: readonly string[];
  /** `settled`: on a remote source a trace that has settled is enough. Default `proven`. */
  readonly completeness?: 'proven' | 'settled';
  /** `service.name` of every service that takes part. */
  readonly services?: readonly string[];
  /** `remote`: the top span was called from outside, so its absent parent is no loss. */
  readonly root?: 'local' | 'remote';
  /** Names of spans below the one parent that the program never ends: it is no loss either. */
  readonly absentParentOf?: readonly string[];
}

export type CollectTraceOptions = TraceSource & RunChoice;

/**
 * The run of a deployed agent, for the same matchers as a recorded one. Waits as `otel-eval check` does: until receipts prove
 * the trace whole, it has settled, or the deadline; what is still missing then makes verdicts inconclusive.
 *
 * Throws an `OtelEvalError` where it cannot look (`OTEL_EVAL_AUTH`, `OTEL_EVAL_UNAVAILABLE`, …), and `OTEL_EVAL_USAGE` where
 * more than one run is meant.
 *
 * @example
 * const run = await collectTrace({ source: 'tempo', url: 'http://127.0.0.1:3200', traceId });
 * expect(run).toHaveToolSucceeded('issue_refund');
 */
export async function collectTrace(options: CollectTraceOptions): Promise<RecordedRun<undefined>> {
  try {
    return await collected(options);
  } catch (error) {
    throw toldError(error);
  }
}

async function collected(options: CollectTraceOptions): Promise<RecordedRun<undefined>> {
  const { traceId, source } = options;
  const remoteRoot = options.root === 'remote';
  const choice = traceId === undefined ? options : { ...options, traceId: requestedTraceId(traceId) };
  const { absentParentOf = [] } = options;
  const expected = { services: options.services ?? [], remoteRoot, absentParentOf };
  const all = (await collectedFrom(choice, expected)).map((each) => ({
    ...each,
    completeness: completenessOf(each.trace, each.facts, expected),
  }));
  const run = chosenRun(all, choice);
  const traceIds = new Set(run?.traces.map((trace) => trace.traceId));
  // What was asked for and not found is said by the trace that stands for it.
  const traces = run === undefined ? all : all.filter(({ trace }) => traceIds.has(trace.traceId));
  const evidence = { run: run ?? new AgentRun({ traces: [], runId: null, boundary: 'user' }), traces };
  return recordedRun({
    ...evidence,
    onSpans: evidence,
    source: { kind: source, acceptsSettled: options.completeness === 'settled', remoteRoot, absentParentOf },
    value: undefined,
    error: undefined,
    open: [],
    others: [],
  });
}

function chosenRun(collected: readonly CollectedTrace[], choice: RunChoice): Run | undefined {
  const { oneRun = false, runBy, instrumented = [], traceId } = choice;
  const reader = createRunReader({ oneRun, instrumented, ...(runBy === undefined ? {} : { runBy }) });
  const runs = [...reader.add(collected), ...reader.end()].filter((run) => isSelected(run, choice));
  if (runs.length <= 1) return runs[0];
  throw new OtelEvalError('OTEL_EVAL_USAGE', `expected one run, got ${runs.length}`, {
    hint: `choose one by ${traceId === undefined ? 'traceId, ' : ''}runId or agent, or say oneRun: true`,
  });
}
