import type { Run, ToolCall } from '../../agent/run.ts';
import type { Span } from '../../trace/span.ts';
import { type Candidate, candidate } from './candidate.ts';
import { namingKeys, oneOfThese } from './naming-keys.ts';
import { observedCount, spanCount } from './observed-count.ts';
import { isWritable, keyOf, queryOf } from './span-identity.ts';

/** Longest order that is written out call by call. */
const longestOrder = 20;
/** Tools of which each pair is tried. */
const mostPaired = 6;

/** Which tools were called how often, that they succeeded, and in which order. Never with what. */
export function toolCandidates(runs: readonly Run[]): Candidate[] {
  const names = toolNames(runs);
  return [
    ...names.map((tool) => called({ tool }, counts(runs, tool), spansOfTool(runs, tool))),
    called({}, counts(runs), []),
    ...spansOfAnyTool(runs),
    ...names.map((tool) => succeeded(tool, runs)),
    ...orderCandidates(runs),
  ];
}

/** The spans of a tool, told by the attribute that holds its name, and by their own names. */
function spansOfTool(runs: readonly Run[], tool: string): Candidate[] {
  const calls = callsOf(runs).filter(({ name, spans }) => name === tool && spans.length > 0);
  const queries = calls.flatMap(({ spans }) => queryOf(tool, spans.slice(0, 1)) ?? []);
  const distinct = new Map(queries.map((query) => [JSON.stringify(query), query]));
  return [...distinct.values()].map((query) => spanCount(runs, query));
}

/**
 * As many spans that name a tool, and no other tool, so that one that was never called is one too many; where nothing
 * names them all, as many spans.
 */
function spansOfAnyTool(runs: readonly Run[]): Candidate[] {
  const calls = callsOf(runs).filter(({ spans }) => spans.length > 0);
  const spans = runs.flatMap(({ traces }) => traces.flatMap((trace) => trace.spans));
  const called = new Set(calls.flatMap(({ name }) => name ?? []));
  const found = calls.map(({ name, spans: own }) => keyOf(name ?? '', own.slice(0, 1)));
  const keys = [...new Set(found.filter((key) => key !== undefined))];
  const allNamed = keys.length > 0 && !found.includes(undefined);
  const counted = allNamed ? keys.map((key) => ({ attributes: { [key]: { exists: true } } })) : [{}];
  const told = namingKeys(spans, called, 'tool').filter(({ key }) => keys.includes(key));
  return [
    ...(calls.length === 0 ? [] : counted.map((query) => spanCount(runs, query))),
    ...told.map(({ key, names }) => oneOfThese(key, names)),
  ];
}

function callsOf(runs: readonly Run[]): ToolCall[] {
  return runs.flatMap(({ toolCalls }) => toolCalls);
}

/** In order of first call. A name that may not be shown is not written either. */
function toolNames(runs: readonly Run[]): string[] {
  return [...new Set(runs.flatMap(({ toolCalls }) => toolCalls.flatMap(({ name }) => name ?? [])))].filter(isWritable);
}

function counts(runs: readonly Run[], tool?: string): readonly number[] {
  return runs.map(({ toolCalls }) => toolCalls.filter((call) => ran(call) && (tool ?? call.name) === call.name).length);
}

function ran({ outcome }: ToolCall): boolean {
  return outcome !== 'denied' && outcome !== 'notRun' && outcome !== 'unknown';
}

function called(match: object, found: readonly number[], otherwise: readonly Candidate[]): Candidate {
  const low = Math.min(...found);
  const weaker = low > 0 ? [{ match, expect: { atLeast: low } }] : [];
  return { ...candidate('ToolCalled', { match, expect: observedCount(found) }, ...weaker), otherwise };
}

/** Every attempt; where one failed and was made good, the last. Status alone counts where no result can be seen. */
function succeeded(tool: string, runs: readonly Run[]): Candidate {
  const match = { tool };
  const last = { expect: { attempts: 'last' } };
  const status = { evidence: 'status' };
  const some = (outcome: ToolCall['outcome']): number[] => {
    const least = runs.map(
      ({ toolCalls }) =>
        toolCalls.filter((call) => call.name === tool && (call.outcome === outcome || call.outcome === 'succeeded'))
          .length,
    );
    return Math.min(...least) > 0 ? [Math.min(...least)] : [];
  };
  return candidate(
    'ToolSucceeded',
    { match },
    { match, ...status },
    { match, ...last },
    { match, ...last, ...status },
    ...some('succeeded').map((atLeast) => ({ match, expect: { attempts: { atLeast } } })),
    ...some('ended').map((atLeast) => ({ match, expect: { attempts: { atLeast } }, ...status })),
  );
}

/** The whole order where it is the same in every run, and who always came before whom; else that of their spans. */
function orderCandidates(runs: readonly Run[]): Candidate[] {
  return [...callOrders(runs), ...spanOrders(runs)];
}

/**
 * Of each tool, that its spans came after those of the tool before it: spans have an order also where it is not known
 * whether they are all calls that there were. Calls that were asked for together promise none.
 */
function spanOrders(runs: readonly Run[]): Candidate[] {
  const calls = callsOf(runs).filter(({ name, spans }) => name !== null && spans.length > 0);
  const tools = [...new Set(calls.map(({ name }) => name ?? ''))].slice(0, mostPaired);
  return tools.slice(1).flatMap((tool, i) => {
    const earlier = tools[i] ?? '';
    const [before, match] = [earlier, tool].map((one) => queryOf(one, spansOfFirst(one, calls)));
    if (before === undefined || match === undefined || runs.some((run) => askedTogether(run, earlier, tool))) return [];
    return [candidate('SpansMatch', { match, expect: { every: { after: before } } })];
  });
}

function spansOfFirst(tool: string, calls: readonly ToolCall[]): readonly Span[] {
  return calls.find(({ name }) => name === tool)?.spans.slice(0, 1) ?? [];
}

function askedTogether({ toolCalls }: Run, a: string, b: string): boolean {
  const groupsOf = (tool: string): (number | null)[] =>
    toolCalls.flatMap(({ name, parallelGroup }) => (name === tool && parallelGroup !== null ? [parallelGroup] : []));
  const groups = new Set(groupsOf(a));
  return groupsOf(b).some((group) => groups.has(group));
}

function callOrders(runs: readonly Run[]): Candidate[] {
  const orders = runs.map(({ toolCalls }) => toolCalls.filter(ran).map(({ name }) => name ?? ''));
  const [first = []] = orders;
  if (new Set(first).size < 2 || !first.every(isWritable)) return [];
  const same = orders.every((order) => order.join('\n') === first.join('\n'));
  const whole = { mode: 'inOrder', calls: first.map((tool) => ({ tool })) };
  if (same && first.length <= longestOrder) return [candidate('ToolOrder', whole), ...pairCandidates(first)];
  return pairCandidates(first);
}

/** Of any two tools, which came before which: a call within another has no such order. */
function pairCandidates(order: readonly string[]): Candidate[] {
  const distinct = [...new Set(order)].slice(0, mostPaired);
  return distinct.flatMap((before, i) =>
    distinct.slice(i + 1).map((after) => {
      const pairs = [{ before: { tool: before }, after: { tool: after } }];
      return { ...candidate('ToolOrder', { mode: 'partial', pairs }), merge: 'order' as const };
    }),
  );
}
