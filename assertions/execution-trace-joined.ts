import { displayName } from '../src/trace/display-name.ts';
import { ownAttributes } from '../src/trace/own-attributes.ts';
import type { Span } from '../src/trace/span.ts';
import type { Trace } from '../src/trace/trace.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { readConversation } from '../src/verdict/conversation.ts';
import { declaredRemarks, groundRemarks, undecided, unexplainedLoss } from '../src/verdict/decidable.ts';
import { type IdReading, indexFaults, readId } from '../src/verdict/identity.ts';
import { type RootFacts, rootFacts, servicesOf, TracesOfRun, topSpans } from '../src/verdict/join-facts.ts';
import { type ExecutionTraceJoinedParameters, joinParameters } from '../src/verdict/join-parameters.ts';
import { joinRemarks } from '../src/verdict/join-remarks.ts';
import { joinFinding as finding, type JoinSentences, joinSentences } from '../src/verdict/join-sentences.ts';
import { judgeProjections } from '../src/verdict/projection/judge-projections.ts';
import { type ProjectionSentences, projectionSentences } from '../src/verdict/projection/projection-sentences.ts';
import { spansOf } from '../src/verdict/run-spans.ts';
import { inTreeOrder } from '../src/verdict/tree-order.ts';
import type { Finding, Verdict } from '../src/verdict/verdict.ts';
import { listed, nameOf, quoted } from '../src/verdict/wording.ts';

export type { ExecutionTraceJoinedParameters };

const findings: JoinSentences & ProjectionSentences = { ...joinSentences, ...projectionSentences };

/** Traces of a run that a finding names; it counts them all. */
const mostTops = 20;

/** Findings by how more spans could change them. */
interface Rules {
  /** They cannot. */
  readonly violated: readonly Finding[];
  /** They could mend it. */
  readonly joined: readonly Finding[];
}

function structureRules(trace: Trace, { roots, rootless, elsewhere, lost, cutFrom }: RootFacts): Rules {
  const spans = trace.spans.length;
  const violated = [
    ...(roots.length > 1 ? [severalRoots(roots)] : []),
    ...(cutFrom === undefined
      ? elsewhere.map(({ span, home }) => inOtherTrace(span, home))
      : [truncated(trace, cutFrom)]),
    ...trace.cycles.map((cycle) => cycleFinding(trace, cycle)),
    ...trace.duplicates.filter(({ same }) => !same).map(({ spanId, rows }) => conflicting(trace, spanId, rows)),
  ];
  const joined = [
    ...(rootless ? [finding('no-root', { arguments: { spans }, spans: [] })] : []),
    ...lost.map((group) => {
      const { parentSpanId, remote: remoteParent } = group;
      const args = { name: nameOf(group.spans[0]), parentSpanId, orphans: group.spans.length, spans, remoteParent };
      return finding('orphan-span', { arguments: args, spans: group.spans });
    }),
  ];
  return { violated, joined };
}

function severalRoots(roots: readonly Span[]): Finding {
  const [first, ...others] = roots;
  const args = { roots: roots.length, first: nameOf(first), others: others.map(nameOf) };
  return finding('several-roots', { arguments: args, spans: others });
}

function inOtherTrace(span: Span, home: Trace): Finding {
  const args = { name: nameOf(span), traceId: span.traceId, parentTraceId: home.traceId };
  return finding('child-in-other-trace', { arguments: args, spans: [span] });
}

function truncated(trace: Trace, whole: Trace): Finding {
  const args = { traceId: trace.traceId, fullTraceId: whole.traceId, spans: trace.spans.length };
  return finding('truncated-trace-id', { arguments: args, spans: trace.spans });
}

function cycleFinding(trace: Trace, cycle: readonly string[]): Finding {
  const spans = cycle.flatMap((spanId) => trace.spansById.get(spanId) ?? []);
  if (spans.length === 1) return finding('self-parent', { arguments: { name: nameOf(spans[0]) }, spans });
  return finding('cycle', { arguments: { length: spans.length, names: spans.map(nameOf) }, spans });
}

function conflicting(trace: Trace, spanId: string, rows: number): Finding {
  const args = { name: nameOf(trace.spansById.get(spanId)), rows };
  return finding('conflicting-copies', { arguments: args, spans: [{ traceId: trace.traceId, spanId }] });
}

function severalTraces(traces: readonly { readonly trace: Trace; readonly facts: RootFacts }[]): readonly Finding[] {
  const apart = traces.filter(({ facts }) => facts.cutFrom === undefined).map(({ trace }) => trace);
  if (apart.length < 2) return [];
  const tops = apart.slice(0, mostTops).map((trace) => `${listed(topSpans(trace).map(nameOf))} (${trace.traceId})`);
  const args = { traces: apart.length, tops };
  return [finding('several-traces', { arguments: args, spans: apart.slice(1).flatMap(topSpans) })];
}

function identityRules(view: View, spans: readonly Span[]): Rules {
  const faults = indexFaults(spans);
  return {
    violated: [
      ...idRules('run-id', readId(spans, ownAttributes.runId)),
      ...idRules('conversation-id', readConversation(view)),
      ...faults
        .filter(({ repeated }) => repeated.length > 0)
        .map(({ segment, repeated, ...fault }) => {
          const args = { segment: displayName(segment), indices: repeated.map(String) };
          return finding('event-index-repeated', { arguments: args, spans: fault.spans });
        }),
    ],
    joined: faults.flatMap(({ segment, missing, firstMissing, spans: guilty }) => {
      if (firstMissing === null) return [];
      const args = { segment: displayName(segment), missing, first: firstMissing };
      return [finding('event-index-gap', { arguments: args, spans: guilty })];
    }),
  };
}

function idRules(which: 'run-id' | 'conversation-id', { values, empty, differing }: IdReading): readonly Finding[] {
  const differ = { values: values.length, spans: differing.length };
  return [
    ...(empty.length > 0 ? [finding(`${which}-empty`, { arguments: { spans: empty.length }, spans: empty })] : []),
    ...(differing.length > 0 ? [finding(`${which}-differs`, { arguments: differ, spans: differing })] : []),
  ];
}

function directRule(trace: Trace): readonly Finding[] {
  const [root] = topSpans(trace);
  const deeper = trace.spans.filter(({ parentSpanId }) => parentSpanId !== undefined && parentSpanId !== root?.spanId);
  const guilty = deeper.filter((span) => span !== root);
  if (guilty.length === 0) return [];
  const args = { root: nameOf(root), spans: guilty.length, first: nameOf(guilty[0]) };
  return [finding('not-a-direct-child', { arguments: args, spans: guilty })];
}

function serviceRule(spans: readonly Span[], wanted: readonly string[]): readonly Finding[] {
  const here = wanted.length === 0 ? [] : servicesOf(spans);
  const services = here.map(quoted);
  return wanted
    .filter((service) => !here.includes(service))
    .map((service) => finding('service-missing', { arguments: { service: quoted(service), services }, spans: [] }));
}

function evaluate(
  view: View,
  {
    children,
    services = [],
    traces: parts = 'one',
    projections = {},
    requireProjections = [],
  }: ExecutionTraceJoinedParameters,
): Verdict {
  const { traces } = view.run;
  const spans = spansOf(view.run);
  const identity = identityRules(view, spans);
  const index = new TracesOfRun(traces);
  const facts = traces.map((trace) => ({ trace, facts: rootFacts(trace, index, view) }));
  const apart = severalTraces(facts);
  const structure = facts.map((one) => structureRules(one.trace, one.facts));
  const direct = children === 'direct' ? traces.flatMap(directRule) : [];
  const projected = judgeProjections(view.run, projections, requireProjections);
  const violated = [
    ...(parts === 'one' ? apart : []),
    ...structure.flatMap((rules) => rules.violated),
    ...identity.violated,
    ...direct,
    ...projected.violated,
  ];
  // What a gap tells of a remote source is that it lost a span, which is no fault of the app.
  const remote = view.traces.some(({ facts }) => facts.remote);
  const joined = [...structure.flatMap((rules) => rules.joined), ...(remote ? [] : identity.joined)];
  const whole = [...serviceRule(spans, services), ...(remote ? identity.joined : []), ...projected.whole];
  const lacking = [...undecided('joined', view), ...(joined.length > 0 ? [] : unexplainedLoss(view))];
  const lackingWhole = whole.length > 0 ? undecided('whole', view) : [];
  const found = [...violated, ...(lacking.length > 0 ? [] : joined), ...(lackingWhole.length > 0 ? [] : whole)];
  return conclude({
    examined: spans.length,
    findings: inTreeOrder(found, traces),
    missing: [...lacking, ...lackingWhole, ...projected.missing],
    remarks: [
      ...projected.remarks,
      ...joinRemarks(view),
      ...(parts === 'one' ? [] : apart.map(({ observed }) => `${observed}, which is allowed`)),
      ...(whole.length > 0 ? groundRemarks(view) : declaredRemarks(view)),
    ],
  });
}

export const executionTraceJoined: Assertion<ExecutionTraceJoinedParameters> = {
  id: 'ExecutionTraceJoined',
  summary: 'The run is one trace that hangs together, and its ids and event indices are consistent.',
  needs:
    'a trace that is proven or settled, or any trace that shows a fault which more spans cannot undo; for projections (live stream, durable rows, UI payload) also event indices on its spans, and rows up to their end',
  parameters: joinParameters,
  findings,
  evaluate,
};
