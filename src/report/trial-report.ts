import type { AssertionOutcome } from '../suite/judge/evaluate-assertion.ts';
import type { JudgedTrial } from '../suite/judge/judge.ts';
import { combinedStatus } from '../suite/trial/trial-status.ts';
import { displayName } from '../trace/display-name.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import type { View } from '../verdict/assertion.ts';
import type { Finding } from '../verdict/verdict.ts';
import { callNotes } from './call-notes.ts';
import type { AssertionReport, FindingReport, TrialReport } from './report.ts';
import { spanTree } from './span-tree.ts';
import { stepKinds } from './step-kinds.ts';
import type { TreeRow } from './tree-row.ts';
import { trialMeasures } from './trial-measures.ts';

export interface TrialReportOptions {
  /** Leaves durations out. */
  readonly deterministic: boolean;
  /** `false`: no tree, however the trial came out. */
  readonly withTree: boolean;
  readonly rerun: string | null;
}

/** About so many rows of trees a trial. */
const mostRows = 40;
/** Trees of so many traces at most, where a run spans several. */
const mostTrees = 5;

/** A judged run as plain data; nothing of the run itself is kept. The index is given when all trials are known. */
export function trialReport({ view, outcomes }: JudgedTrial, options: TrialReportOptions): Omit<TrialReport, 'index'> {
  const assertions = outcomes.map(assertionReport);
  const status = combinedStatus(
    assertions.map((each) => each.status as 'passed' | 'failed' | 'inconclusive' | 'error'),
  );
  const durationMs = options.deterministic ? undefined : durationOf(view.traces);
  const { runId } = view.run;
  return {
    seed: null,
    status,
    traceIds: view.traces.map(({ trace }) => trace.traceId),
    runId: runId === null ? null : displayName(runId),
    ...(durationMs === undefined ? {} : { durationMs }),
    steps: [],
    assertions,
    evidence: evidenceText(view),
    rerun: status === 'passed' ? null : options.rerun,
    tree: status === 'passed' || !options.withTree ? [] : treeOf(view, assertions, options.deterministic),
    measures: { ...trialMeasures(view), ...(durationMs === undefined ? {} : { durationMs }) },
  };
}

export function assertionReport({ assertion, verdict, accident }: AssertionOutcome): AssertionReport {
  if (verdict === undefined) {
    const name = accident instanceof Error ? accident.name : 'an exception';
    const message = `${assertion.id} ended in ${displayName(name)}: a fault in the assertion, not in the run; see --debug`;
    const missing = [{ kind: 'accident', message }];
    return { name: assertion.id, passed: false, status: 'error', examined: 0, findings: [], missing, remarks: [] };
  }
  return {
    name: assertion.id,
    passed: verdict.status === 'passed',
    status: verdict.status,
    examined: verdict.examined,
    findings: verdict.findings.map(findingReport),
    missing: verdict.missing.map(({ kind, message }) => ({ kind, message })),
    remarks: verdict.remarks,
    ...(verdict.facts === undefined ? {} : { facts: verdict.facts }),
  };
}

function findingReport({ code, arguments: args, spans, expected, observed, nearMisses = [] }: Finding): FindingReport {
  return {
    code,
    message: `expected ${expected}, observed ${observed}`,
    arguments: args,
    spans: spans.map(({ traceId, spanId }) => ({ traceId, spanId })),
    expected,
    observed,
    nearMisses: nearMisses.map(({ span, difference }) => ({
      span: span === null ? null : { traceId: span.traceId, spanId: span.spanId },
      difference,
    })),
  };
}

function durationOf(traces: readonly CollectedTrace[]): number | undefined {
  let start: bigint | undefined;
  let end: bigint | undefined;
  for (const { trace } of traces) {
    for (const { startUnixNano, endUnixNano } of trace.spans) {
      if (start === undefined || startUnixNano < start) start = startUnixNano;
      if (endUnixNano !== undefined && (end === undefined || endUnixNano > end)) end = endUnixNano;
    }
  }
  return start === undefined || end === undefined || end < start ? undefined : Number(end - start) / 1e6;
}

/** `tempo, 4 spans, proven: the receipt says 4`. */
function evidenceText({ source, traces }: View): string {
  const spans = traces.reduce((sum, { trace }) => sum + trace.spans.length, 0);
  const count = `${spans} ${spans === 1 ? 'span' : 'spans'}`;
  const [only] = traces;
  if (traces.length === 1 && only !== undefined) {
    const { state, reasons } = only.completeness;
    return `${source.kind}, ${count}, ${state}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`;
  }
  const states = new Map<string, number>();
  for (const { completeness } of traces) states.set(completeness.state, (states.get(completeness.state) ?? 0) + 1);
  const told = [...states].sort().map(([state, number]) => `${number} ${state}`);
  return `${source.kind}, ${traces.length} traces, ${count}${told.length === 0 ? '' : `, ${told.join(', ')}`}`;
}

function treeOf(view: View, assertions: readonly AssertionReport[], deterministic: boolean): TreeRow[] {
  const guilty = new Map<string, Set<string>>();
  for (const { traceId, spanId } of assertions.flatMap(({ findings }) => findings.flatMap(({ spans }) => spans))) {
    const known = guilty.get(traceId) ?? new Set();
    guilty.set(traceId, known.add(spanId));
  }
  const withGuilt = view.traces.filter(({ trace }) => guilty.has(trace.traceId));
  const shown = (withGuilt.length > 0 && view.traces.length > mostTrees ? withGuilt : view.traces).slice(0, mostTrees);
  const noteOf = callNotes(view.run);
  const stepOf = stepKinds(view.run);
  const rows = Math.max(8, Math.floor(mostRows / Math.max(1, shown.length)));
  return shown.flatMap(({ trace }) =>
    spanTree(trace, {
      guilty: guilty.get(trace.traceId) ?? new Set(),
      rows,
      durations: !deterministic,
      declared: view,
      noteOf,
      stepOf,
    }),
  );
}
