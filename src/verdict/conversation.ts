import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { View } from './assertion.ts';
import { type IdReading, readId } from './identity.ts';
import { spansOf } from './run-spans.ts';

const conversationKey = 'gen_ai.conversation.id';
const responseKey = 'gen_ai.response.id';

/**
 * Reads the conversation id of a run. Two habits of frameworks are no contradiction: an agent that is called by another
 * has a conversation of its own, so ids are compared among the spans of one agent; and a client that threads by
 * response writes the id of the response before, which names no conversation.
 */
export function readConversation(view: View): IdReading {
  const spans = spansOf(view.run);
  const plain = readId(spans, conversationKey);
  if (plain.differing.length === 0) return plain;
  const responses = new Set(
    spans.map(({ attributes }) => attributes.get(responseKey)).filter((id) => id !== undefined),
  );
  const telling = spans.filter(({ attributes }) => !responses.has(attributes.get(conversationKey) ?? ''));
  const readings = byAgent(view, telling).map((own) => readId(own, conversationKey));
  return {
    values: [...new Set(readings.flatMap(({ values, differing }) => (differing.length > 0 ? values : [])))],
    empty: plain.empty,
    differing: readings.flatMap(({ differing }) => differing),
  };
}

/** The spans by the nearest agent at or above them. */
function byAgent({ run }: View, spans: readonly Span[]): readonly (readonly Span[])[] {
  const agents = new Set(run.steps.flatMap(({ kind, spans: own }) => (kind === 'agent' ? own : [])));
  const nearest = new Map<Span, Span | undefined>();
  const traces = new Map(run.traces.map((trace) => [trace.traceId, trace]));
  const groups = new Map<Span | undefined, Span[]>();
  for (const span of spans) {
    const agent = agentOf(span, traces.get(span.traceId), { agents, nearest });
    const group = groups.get(agent);
    if (group === undefined) groups.set(agent, [span]);
    else group.push(span);
  }
  return [...groups.values()];
}

interface Agents {
  readonly agents: ReadonlySet<Span>;
  /** Remembers the way up, so that a long chain is walked once and a circle ends. */
  readonly nearest: Map<Span, Span | undefined>;
}

function agentOf(start: Span, trace: Trace | undefined, { agents, nearest }: Agents): Span | undefined {
  const way: Span[] = [];
  let found: Span | undefined;
  for (let here: Span | undefined = start; here !== undefined && !nearest.has(here); ) {
    way.push(here);
    nearest.set(here, undefined);
    if (agents.has(here)) found = here;
    const parent: Span | undefined =
      here.parentSpanId === undefined ? undefined : trace?.spansById.get(here.parentSpanId);
    if (found === undefined && parent !== undefined && nearest.has(parent)) found = nearest.get(parent);
    here = found === undefined ? parent : undefined;
  }
  if (way.length === 0) return nearest.get(start);
  for (const span of way) nearest.set(span, found);
  return found;
}
