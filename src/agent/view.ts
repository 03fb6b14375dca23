import { displayName } from '../trace/display-name.ts';
import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { CollectedTrace, InputReading } from '../trace/trace-set.ts';
import type { ModelCall, Run, ToolCall } from './run.ts';

/** HMAC of canonical JSON under the digest key as `hmac-sha256:` and hex; `null` without a key. */
export type Digest = (value: unknown) => string | null;

/** A document of plain data that may be shown and kept: names, ids and counts, never content. */
export type PlainData = string | number | boolean | null | readonly PlainData[] | { readonly [key: string]: PlainData };

export interface ViewSource {
  readonly inputs: readonly InputReading[];
  readonly traces: readonly CollectedTrace[];
  readonly runs: readonly Run[];
  readonly digest: Digest;
}

/** The whole `otel-eval/view/v1` document. */
export function viewOf({ inputs, traces, runs, digest }: ViewSource): PlainData {
  return {
    schema: 'otel-eval/view/v1',
    inputs: inputs.map((input) => ({ ...input, problems: input.problems.map((problem) => ({ ...problem })) })),
    traces: traces.map(viewOfTrace),
    runs: runs.map((run) => viewOfRun(run, digest)),
  };
}

export function viewOfTrace({ trace, completeness }: CollectedTrace): PlainData {
  return {
    traceId: trace.traceId,
    rows: trace.rows,
    spans: trace.spans.length,
    roots: rootIds(trace),
    orphans: trace.orphans.map((orphan) => ({ ...orphan })),
    duplicates: trace.duplicates.map((repeat) => ({ ...repeat })),
    cycles: trace.cycles.map((cycle) => [...cycle]),
    open: ids(trace.open),
    errors: ids(trace.spans.filter(({ status }) => status.code === 'error')),
    completeness: {
      state: completeness.state,
      reasons: [...completeness.reasons],
      expectedSpans: completeness.expectedSpans,
    },
  };
}

/** Two different spans may share an id, and both be roots: both are told. */
function rootIds({ roots, duplicates }: Trace): string[] {
  const rows = new Map(duplicates.map(({ spanId, parentless = 1 }) => [spanId, parentless]));
  return roots.flatMap(({ spanId }) => Array.from({ length: rows.get(spanId) ?? 1 }, () => spanId));
}

export function viewOfRun(run: Run, digest: Digest): PlainData {
  return {
    runId: shown(run.runId),
    conversationId: shown(run.conversationId),
    agent: shown(run.agent),
    traceIds: run.traces.map(({ traceId }) => traceId),
    rootSpanId: run.rootSpan?.spanId ?? null,
    boundary: run.boundary,
    dialects: run.dialects.map(({ name, version, scopes }) => ({ name, version, scopes: scopes.map(displayName) })),
    visibility: { ...run.visibility },
    modelCalls: run.modelCalls.map(viewOfModelCall),
    toolCalls: run.toolCalls.map((call) => viewOfToolCall(call, digest)),
    requestedNotRun: run.requestedNotRun.map(({ name, callId }) => ({ name: shown(name), callId: shown(callId) })),
    handoffs: run.handoffs.map(({ from, to, spans }) => ({ from: shown(from), to: shown(to), spanIds: ids(spans) })),
    humanInputs: run.humanInputs.map(({ kind, spans }) => ({ kind, spanIds: ids(spans) })),
    usage: { ...run.usage },
    cost: run.cost === null ? null : { ...run.cost },
    remarks: [...run.remarks],
  };
}

function viewOfModelCall(call: ModelCall): PlainData {
  const { spans, calls, model, outcome, usage, finish } = call;
  return {
    spanIds: ids(spans),
    calls,
    model: shown(model),
    outcome,
    usage: usage === null ? null : { ...usage },
    finish: shown(finish),
  };
}

function viewOfToolCall(call: ToolCall, digest: Digest): PlainData {
  const given = call.arguments();
  return {
    name: shown(call.name),
    callId: shown(call.callId),
    agent: shown(call.agent),
    operation: call.operation,
    attempt: call.attempt,
    parallelGroup: call.parallelGroup,
    outcome: call.outcome,
    evidence: [...call.evidence],
    spanIds: ids(call.spans),
    argumentsDigest: call.stampedArgumentsDigest ?? (given === undefined ? null : digest(given)),
    readFrom: [...call.readFrom],
  };
}

function ids(spans: readonly Span[]): readonly string[] {
  return spans.map(({ spanId }) => spanId);
}

function shown(name: string | null): string | null {
  return name === null ? null : displayName(name);
}
