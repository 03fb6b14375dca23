import { buildTrace } from '../../trace/build-trace.ts';
import { completenessOf, type Expectations } from '../../trace/completeness-of.ts';
import { resolvedOrphans } from '../../trace/declared-parents.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import type { Span } from '../../trace/span.ts';
import type { OrphanSpan, Trace } from '../../trace/trace.ts';
import type { CollectedTrace } from '../../trace/trace-set.ts';
import type { DrivenStep } from './drive-target.ts';
import { harnessSpans } from './harness-spans.ts';

/** How a trace is known to be of this trial: it carries the trial's trace id, its run id, or came over the trial's own channel. */
export type Join = 'trace-context' | 'run-id' | 'channel';

export interface TrialEvidence {
  readonly traces: readonly CollectedTrace[];
  /** In the order of `traces`. */
  readonly joins: readonly Join[];
  /** The top span was called by the trial: its one absent parent is ours. */
  readonly remoteRoot: boolean;
  /** Traces that came in and are not known to be of this trial. */
  readonly strays: number;
}

export interface TrialIds {
  readonly traceId: string;
  readonly runId: string;
  /** Of the span that stands for the whole trial. */
  readonly spanId: string;
}

export interface Collected {
  readonly traces: readonly CollectedTrace[];
  /** Nobody but this trial could have written to where they were found. */
  readonly ownChannel: boolean;
}

/** Picks what is known to be of this trial. What only came at the same time is not. */
export function trialEvidence(
  ids: TrialIds,
  steps: readonly DrivenStep[],
  collected: Collected,
  expected: Expectations,
): TrialEvidence {
  const traces: CollectedTrace[] = [];
  const joins: Join[] = [];
  let remoteRoot = false;
  for (const each of collected.traces) {
    const join = joinOf(each.trace, ids, collected.ownChannel);
    if (join === undefined) continue;
    joins.push(join);
    if (each.trace.traceId !== ids.traceId) {
      traces.push({ ...each, completeness: completenessOf(each.trace, each.facts, expected) });
      continue;
    }
    const { lost } = resolvedOrphans(each.trace, { absentParentOf: expected.absentParentOf ?? [] });
    const called = areCalledByTrial(lost, ids, steps);
    const alone = each.trace.roots.length === 0 && lost.length === 1;
    if (called && alone) remoteRoot = true;
    const trace = called && !alone ? withHarness(each.trace, ids, steps) : each.trace;
    traces.push({
      ...each,
      trace,
      completeness: completenessOf(trace, each.facts, { ...expected, remoteRoot: called && alone }),
    });
  }
  return { traces, joins, remoteRoot, strays: collected.traces.length - traces.length };
}

/** The part of a trial's evidence that one step made; `undefined` where the target did not carry the step's context on. */
export function stepEvidence(evidence: TrialEvidence, step: DrivenStep): CollectedTrace | undefined {
  for (const each of evidence.traces) {
    const below = spansBelow(each.trace, step.spanId);
    if (below.length > 0) {
      const trace = buildTrace(each.trace.traceId, below, each.trace.logs);
      return { ...each, trace };
    }
  }
  return undefined;
}

function joinOf(trace: Trace, ids: TrialIds, ownChannel: boolean): Join | undefined {
  if (trace.traceId === ids.traceId) return 'trace-context';
  if (trace.spans.some(({ attributes }) => attributes.get(ownAttributes.runId) === ids.runId)) return 'run-id';
  return ownChannel ? 'channel' : undefined;
}

function areCalledByTrial(orphans: readonly OrphanSpan[], ids: TrialIds, steps: readonly DrivenStep[]): boolean {
  const ours = new Set([ids.spanId, ...steps.map(({ spanId }) => spanId)]);
  return orphans.length > 0 && orphans.every(({ parentSpanId }) => ours.has(parentSpanId));
}

function withHarness(trace: Trace, ids: TrialIds, steps: readonly DrivenStep[]): Trace {
  return buildTrace(trace.traceId, [...harnessSpans(ids.traceId, ids.spanId, steps), ...trace.spans], trace.logs);
}

function spansBelow(trace: Trace, spanId: string): Span[] {
  const tops = trace.spansById.has(spanId)
    ? trace.childrenOf(spanId)
    : trace.orphans
        .filter(({ parentSpanId }) => parentSpanId === spanId)
        .flatMap((orphan) => trace.spansById.get(orphan.spanId) ?? []);
  const found: Span[] = [];
  const open = [...tops];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    found.push(span);
    open.push(...trace.childrenOf(span.spanId));
  }
  return found;
}
