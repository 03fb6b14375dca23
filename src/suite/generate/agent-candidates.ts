import type { Run } from '../../agent/run.ts';
import type { Span } from '../../trace/span.ts';
import { type Candidate, candidate } from './candidate.ts';
import { type NamingKey, namingKeys, oneOfThese } from './naming-keys.ts';
import { observedCount, spanCount } from './observed-count.ts';
import { isWritable, namedSpans } from './span-identity.ts';

const countedSteps = ['handoff', 'retrieval', 'memory', 'human-input', 'guardrail'] as const;

/** Who took part, and the steps that are neither of a model nor of a tool. */
export function agentCandidates(runs: readonly Run[]): Candidate[] {
  const kinds = countedSteps.filter((step) => runs.some(({ steps }) => steps.some(({ kind }) => kind === step)));
  return [...agentNames(runs), ...handoffs(runs), ...kinds.map((step) => spanCount(runs, { step }))];
}

/** The attributes that name the agents name one of these; of an agent that none names the spans are there as often. */
function agentNames(runs: readonly Run[]): Candidate[] {
  const agents = new Set(runs.flatMap((run) => [run.agent, ...run.steps.map(({ agent }) => agent)]).filter(isWritable));
  const spans = runs.flatMap(({ traces }) => traces.flatMap((trace) => trace.spans));
  const chosen: NamingKey[] = [];
  for (const naming of namingKeys(spans, agents, 'agent')) {
    // First the one that names agents and nothing else; another only for those whom it does not name.
    const isNew = naming.names.some((name) => agents.has(name) && !chosen.some(({ names }) => names.includes(name)));
    if (isNew) chosen.push(naming);
  }
  const untold = [...agents].filter((agent) => !chosen.some(({ names }) => names.includes(agent)));
  const theirs = spans.filter(({ name }) => untold.some((agent) => name.includes(agent)));
  return [...chosen.map(({ key, names }) => oneOfThese(key, names)), ...namedSpans(runs, theirs)];
}

function handoffs(runs: readonly Run[]): Candidate[] {
  const pairs = new Map<string, { readonly from: string | null; readonly to: string; readonly spans: Span[] }>();
  for (const { from, to, spans } of runs.flatMap((run) => run.handoffs)) {
    if (!isWritable(to) || (from !== null && !isWritable(from))) continue;
    const known = pairs.get(`${from}\n${to}`);
    if (known === undefined) pairs.set(`${from}\n${to}`, { from, to, spans: [...spans] });
    else known.spans.push(...spans);
  }
  return [...pairs.values()].map(({ from, to, spans }) => {
    const isMeant = (one: Run['handoffs'][number]): boolean => one.to === to && (from === null || one.from === from);
    const found = runs.map((run) => run.handoffs.filter(isMeant).length);
    const match = { ...(from === null ? {} : { from }), to };
    const least = Math.min(...found);
    const weaker = least === 0 ? [] : [{ match, expect: { atLeast: least } }];
    const exact = candidate('HandedOff', { match, expect: observedCount(found) }, ...weaker);
    return { ...exact, otherwise: namedSpans(runs, spans) };
  });
}
