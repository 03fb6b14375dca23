import type { Run } from '../agent/run.ts';
import type { Visibility } from '../agent/visibility.ts';
import { displayName } from '../trace/display-name.ts';
import type { View } from './assertion.ts';
import { undecided } from './decidable.ts';
import type { MissingEvidence } from './verdict.ts';
import { listed, quoted } from './wording.ts';

/** Facts that a verdict may rest on, in the order in which they are reported. */
export type Fact = keyof Visibility;

const facts: Readonly<Record<Fact, { readonly what: string; readonly shownBy: string }>> = {
  modelCalls: { what: 'model calls', shownBy: 'a span for every model call' },
  failedModelCalls: { what: 'failed model calls', shownBy: 'an ended span also for model calls that fail' },
  toolCalls: { what: 'tool calls', shownBy: 'a span for every tool call' },
  toolNames: { what: 'names of tools', shownBy: 'the attribute gen_ai.tool.name on every tool span' },
  failedToolCalls: { what: 'failed tool calls', shownBy: 'an ended span also for tool calls that throw' },
  callIds: { what: 'ids of tool calls', shownBy: 'the attribute gen_ai.tool.call.id on every tool span' },
  arguments: { what: 'arguments of tool calls', shownBy: 'content mode, or argument digests (a digest key)' },
  results: { what: 'results of tool calls', shownBy: 'content mode, or otel_eval.tool.result_failed' },
  usage: { what: 'token usage', shownBy: 'gen_ai.usage.* on every model span' },
  content: { what: 'messages', shownBy: 'content mode' },
  subAgents: { what: 'sub-agents', shownBy: 'a span for every agent' },
  failureMarks: {
    what: 'marks of failed tool calls on their spans',
    shownBy: 'status ERROR or error.type on a tool span that fails',
  },
  retrievals: { what: 'retrievals', shownBy: 'a span for every retrieval' },
  memory: { what: 'memory operations', shownBy: 'a span for every memory operation' },
  handoffs: { what: 'handoffs', shownBy: 'a span for every handoff' },
  humanInputs: { what: 'approvals and edits by a person', shownBy: 'a human-input span (otel-eval/instrument)' },
};

/**
 * A verdict that rests on the absence of a fact needs it `shown` (design §5). Returns what is missing; empty when all
 * the facts are shown.
 */
export function unseen(run: Run, needed: readonly Fact[]): readonly MissingEvidence[] {
  return needed
    .filter((fact) => run.visibility[fact] !== 'shown')
    .map((fact) => ({ kind: 'visibility', message: unseenMessage(run, fact) }));
}

/** What is missing before the absence of something may be told: a whole trace that shows facts of its kind. */
export function undecidedAbsence(view: View, needed: readonly Fact[]): readonly MissingEvidence[] {
  // Without a trace there is nothing to say of what traces show.
  return [...undecided('whole', view), ...(view.traces.length === 0 ? [] : unseen(view.run, needed))];
}

function unseenMessage(run: Run, fact: Fact): string {
  const { what, shownBy } = facts[fact];
  const shows = run.visibility[fact] === 'partly' ? `shows ${what} only in part` : `does not show ${what}`;
  return `this trace ${shows} (${instrumentation(run)}); ${shownBy} would${vouching(run, fact)}`;
}

/** Only calls can be vouched for; what a span does not carry nobody's word puts into the trace. */
function vouching(run: Run, fact: Fact): string {
  const scopes = [...new Set(run.dialects.flatMap((dialect) => dialect.scopes))];
  const isCall = ['modelCalls', 'failedModelCalls', 'toolCalls', 'failedToolCalls'].includes(fact);
  if (!isCall || run.instrumented.length > 0 || scopes.length === 0) return '';
  if (scopes.includes('otel-eval'))
    return ", or agentRun({ instrumented: 'all' }) where each of them is made in a helper";
  return `, or your word that it makes one (--instrumented ${quoted(scopes[0] ?? '')})`;
}

function instrumentation(run: Run): string {
  if (run.dialects.length === 0) return 'no known instrumentation';
  return listed(run.dialects.map(({ name, version }) => displayName(version === null ? name : `${name} ${version}`)));
}
