import type { Run } from '../../agent/run.ts';
import type { Span } from '../../trace/span.ts';
import type { Finding } from '../verdict.ts';
import { nameOf } from '../wording.ts';
import { projectionFinding as finding } from './projection-finding.ts';
import type { TraceEvent, TraceEvents } from './trace-events.ts';

/** Text deltas are events of the root of the run, in the order of their indices. */
export function deltaRules({ events }: TraceEvents, run: Run): readonly Finding[] {
  const deltas = events.filter(({ isDelta }) => isDelta);
  if (deltas.length === 0) return [];
  const roots = rootsOf(events, run);
  const astray = deltas.filter(({ span }) => !roots.has(span));
  const [first] = astray;
  const offRoot =
    first === undefined
      ? []
      : [
          finding('text-delta-off-root', {
            arguments: { deltas: astray.length, name: nameOf(first.span) },
            spans: distinct(astray),
          }),
        ];
  return [...offRoot, ...distinct(deltas).flatMap((span) => orderRule(deltas.filter((delta) => delta.span === span)))];
}

/** What is on top of a trace or, in another process, of its segment; and the agent, where a server stands above it. */
function rootsOf(events: readonly TraceEvent[], run: Run): ReadonlySet<Span> {
  const agents = run.steps.filter(({ kind }) => kind === 'agent');
  return new Set([
    ...run.traces.flatMap(({ roots }) => roots),
    ...events.flatMap(({ index, isDelta, span }) => (index === 0 && !isDelta ? [span] : [])),
    ...agents.slice(0, 1).flatMap(({ spans }) => spans),
  ]);
}

function orderRule(deltas: readonly TraceEvent[]): readonly Finding[] {
  const late = deltas.findIndex(({ index }, at) => index <= (deltas[at - 1]?.index ?? -1));
  const [here, before] = [deltas[late], deltas[late - 1]];
  if (here === undefined || before === undefined) return [];
  const args = { name: nameOf(here.span), index: here.index, before: before.index };
  return [finding('text-delta-out-of-order', { arguments: args, spans: [here.span] })];
}

function distinct(deltas: readonly TraceEvent[]): readonly Span[] {
  return [...new Set(deltas.map(({ span }) => span))];
}
