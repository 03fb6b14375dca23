import type { Run } from '../../agent/run.ts';
import type { Span } from '../../trace/span.ts';
import type { Trace } from '../../trace/trace.ts';
import { type Candidate, candidate } from './candidate.ts';
import { spanCount } from './observed-count.ts';
import { isWritable, nameTest } from './span-identity.ts';

/** Spans that hang below none, as far as the trace goes. */
const top = { not: { childOf: {} } };
/** Most services that are written out. */
const mostServices = 5;

/** That the trace hangs together, which services took part, and what the run begins with. */
export function joinedCandidates(runs: readonly Run[]): Candidate[] {
  const services = servicesOfAll(runs);
  const also = services.length > 0 && services.length <= mostServices ? { services } : {};
  const joined = candidate('ExecutionTraceJoined', also, { ...also, traces: 'several' });
  return [{ ...joined, otherwise: [spanCount(runs, top)] }, ...topNames(runs)];
}

/** Services that have spans in every run. */
function servicesOfAll(runs: readonly Run[]): string[] {
  const named = runs.map(
    ({ traces }) =>
      new Set(traces.flatMap(({ spans }) => spans.map(({ resource }) => resource.attributes.get('service.name')))),
  );
  const [first = new Set()] = named;
  return [...first]
    .filter((name) => typeof name === 'string')
    .filter((name) => isWritable(name) && !name.startsWith('unknown_service') && named.every((one) => one.has(name)))
    .sort();
}

function topNames(runs: readonly Run[]): Candidate[] {
  const tops = runs.flatMap(({ traces }) => traces.flatMap(spansAtTop));
  const tests = new Map(tops.map(({ name }) => [name, nameTest(name)]));
  const known = [...new Map([...tests.values()].map((test) => [JSON.stringify(test), test])).values()];
  const names = known.filter((test) => test !== undefined);
  if (names.length === 0 || names.length < known.length || names.length > mostServices) return [];
  const every = names.length === 1 ? { name: names[0] } : { any: names.map((name) => ({ name })) };
  return [candidate('SpansMatch', { match: top, expect: { every } })];
}

/** Roots, and spans whose parent is not here. */
function spansAtTop(trace: Trace): Span[] {
  return [...trace.roots, ...trace.orphans.flatMap(({ spanId }) => trace.spansById.get(spanId) ?? [])];
}
