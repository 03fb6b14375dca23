import { ownAttributes } from '../trace/own-attributes.ts';
import type { FindingSentence } from './assertion.ts';
import { type FindingMaker, findingMaker } from './finding.ts';
import { counted, countedVerb, listed } from './wording.ts';

/** An alias, since an interface has no index signature and so is no table. */
export type JoinSentences = {
  readonly 'several-traces': FindingSentence<{ traces: number; tops: readonly string[] }>;
  readonly 'truncated-trace-id': FindingSentence<{ traceId: string; fullTraceId: string; spans: number }>;
  readonly 'child-in-other-trace': FindingSentence<{ name: string; traceId: string; parentTraceId: string }>;
  readonly 'several-roots': FindingSentence<{ roots: number; first: string; others: readonly string[] }>;
  readonly 'no-root': FindingSentence<{ spans: number }>;
  readonly 'orphan-span': FindingSentence<{
    name: string;
    parentSpanId: string;
    orphans: number;
    spans: number;
    remoteParent: boolean;
  }>;
  readonly 'self-parent': FindingSentence<{ name: string }>;
  readonly cycle: FindingSentence<{ length: number; names: readonly string[] }>;
  readonly 'conflicting-copies': FindingSentence<{ name: string; rows: number }>;
  readonly 'run-id-empty': FindingSentence<{ spans: number }>;
  readonly 'run-id-differs': FindingSentence<{ values: number; spans: number }>;
  readonly 'conversation-id-empty': FindingSentence<{ spans: number }>;
  readonly 'conversation-id-differs': FindingSentence<{ values: number; spans: number }>;
  readonly 'event-index-repeated': FindingSentence<{ segment: string; indices: readonly string[] }>;
  readonly 'event-index-gap': FindingSentence<{ segment: string; missing: number; first: number }>;
  readonly 'not-a-direct-child': FindingSentence<{ root: string; spans: number; first: string }>;
  readonly 'service-missing': FindingSentence<{ service: string; services: readonly string[] }>;
};

/** What `ExecutionTraceJoined` says of each way in which an execution does not hang together. */
export const joinSentences: JoinSentences = {
  'several-traces': {
    expected: () => 'one trace with one root',
    observed: ({ traces, tops }) => `${counted(traces, 'trace')} that nothing joins: ${listed(tops, 5, traces)}`,
  },
  'truncated-trace-id': {
    expected: ({ fullTraceId }) => `every span carries the trace id ${fullTraceId}`,
    observed: ({ traceId, spans }) =>
      `${countedVerb(spans, 'span', ['carries', 'carry'])} ${traceId}, the last 64 bits of that id: a hop has cut it`,
  },
  'child-in-other-trace': {
    expected: ({ parentTraceId }) => `children carry the trace id of their root, ${parentTraceId}`,
    observed: ({ name, traceId }) => `${name} carries ${traceId}, although its parent is in the other trace`,
  },
  'several-roots': {
    expected: ({ first }) => `one root, ${first}`,
    observed: ({ roots, others }) => `${counted(roots, 'span')} without a parent: also ${listed(others)}`,
  },
  'no-root': {
    expected: () => 'one span without a parent, the root',
    observed: ({ spans }) => `none of ${counted(spans, 'span')} is without a parent`,
  },
  'orphan-span': {
    expected: () => 'every span reachable from the root',
    observed: ({ name, parentSpanId, orphans, spans, remoteParent }) =>
      `${orphans} of ${counted(spans, 'span')} (${orphans === 1 ? name : `${name} first`}) ${orphans === 1 ? 'has' : 'have'} the parent ${parentSpanId}, which was not collected${
        remoteParent ? '; its flags say that the parent is remote: root: remote would declare it' : ''
      }`,
  },
  'self-parent': {
    expected: () => 'every span reachable from the root',
    observed: ({ name }) => `${name} names itself as its parent`,
  },
  cycle: {
    expected: () => 'every span reachable from the root',
    observed: ({ length, names }) => `${counted(length, 'span')} are each other's ancestors: ${listed(names)}`,
  },
  'conflicting-copies': {
    expected: () => 'one span for each span id',
    observed: ({ name, rows }) => `the id of ${name} came ${rows} times with different content`,
  },
  'run-id-empty': {
    expected: () => `${ownAttributes.runId} is not empty`,
    observed: ({ spans }) => `it is empty on ${counted(spans, 'span')}`,
  },
  'run-id-differs': {
    expected: () => `${ownAttributes.runId} is the same on every span that carries it`,
    observed: ({ values, spans }) =>
      `${values} run ids; ${countedVerb(spans, 'span', ['differs', 'differ'])} from the first`,
  },
  'conversation-id-empty': {
    expected: () => 'gen_ai.conversation.id is not empty',
    observed: ({ spans }) => `it is empty on ${counted(spans, 'span')}`,
  },
  'conversation-id-differs': {
    expected: () => 'gen_ai.conversation.id is the same on every span of an agent that carries it',
    observed: ({ values, spans }) =>
      `${values} conversation ids; ${countedVerb(spans, 'span', ['differs', 'differ'])} from the first`,
  },
  'event-index-repeated': {
    expected: ({ segment }) => `each event index of segment ${segment} on one span`,
    observed: ({ indices }) => `on several spans: ${listed(indices)}`,
  },
  'event-index-gap': {
    expected: ({ segment }) => `event indices of segment ${segment} without gaps`,
    observed: ({ missing, first }) => `${missing} missing, the first is ${first}`,
  },
  'not-a-direct-child': {
    expected: ({ root }) => `every span names the root ${root} as its parent`,
    observed: ({ spans, first }) => `${countedVerb(spans, 'span', ['hangs', 'hang'])} deeper, the first is ${first}`,
  },
  'service-missing': {
    expected: ({ service }) => `spans of the service ${service} in the run`,
    observed: ({ services }) =>
      services.length === 0 ? 'none; no span names its service' : `none; the spans are of ${listed(services)}`,
  },
};
export const joinFinding: FindingMaker<JoinSentences> = findingMaker('ExecutionTraceJoined', joinSentences);
