import type { Run } from '../../agent/run.ts';
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
  const roots = runs.flatMap(({ traces }) => traces.flatMap((trace) => trace.roots));
  const tests = new Map(roots.map(({ name }) => [name, nameTest(name)]));
  const known = [...new Map([...tests.values()].map((test) => [JSON.stringify(test), test])).values()];
  const names = known.filter((test) => test !== undefined);
  if (names.length === 0 || names.length < known.length || names.length > mostServices) return [];
  const every = names.length === 1 ? { name: names[0] } : { any: names.map((name) => ({ name })) };
  return [candidate('SpansMatch', { match: top, expect: { every } })];
}
