import type { Run, ToolCall } from '../../agent/run.ts';
import { displayName } from '../../trace/display-name.ts';
import { type Candidate, candidate } from './candidate.ts';

/** Longest order that is written out call by call. */
const longestOrder = 20;

/** Which tools were called how often, that they succeeded, and in which order. Never with what. */
export function toolCandidates(runs: readonly Run[]): Candidate[] {
  const names = toolNames(runs);
  const spans = runs.map(toolSpans);
  return [
    ...names.flatMap((tool) => called({ tool }, counts(runs, tool))),
    ...called({}, counts(runs)).slice(0, 1),
    ...(Math.min(...spans) > 0
      ? [candidate('SpansMatch', { match: { step: 'tool' }, expect: { atLeast: Math.min(...spans) } })]
      : []),
    ...names.map((tool) => succeeded(tool, runs)),
    ...orderCandidates(runs),
  ];
}

/** In order of first call. A name that may not be shown is not written either. */
function toolNames(runs: readonly Run[]): string[] {
  return [...new Set(runs.flatMap(({ toolCalls }) => toolCalls.flatMap(({ name }) => name ?? [])))].filter(isShown);
}

function isShown(name: string): boolean {
  return name !== '' && displayName(name) === name;
}

function counts(runs: readonly Run[], tool?: string): readonly number[] {
  return runs.map(({ toolCalls }) => toolCalls.filter((call) => ran(call) && (tool ?? call.name) === call.name).length);
}

function ran({ outcome }: ToolCall): boolean {
  return outcome !== 'denied' && outcome !== 'notRun' && outcome !== 'unknown';
}

function toolSpans({ steps }: Run): number {
  return new Set(steps.flatMap(({ kind, spans }) => (kind === 'tool' ? spans : []))).size;
}

function called(match: object, found: readonly number[]): Candidate[] {
  const [low, high] = [Math.min(...found), Math.max(...found)];
  const range =
    high === 0
      ? { none: true }
      : low === high
        ? { exactly: low }
        : low === 0
          ? { atMost: high }
          : { atLeast: low, atMost: high };
  const ways = [{ match, expect: range }, ...(low > 0 ? [{ match, expect: { atLeast: low } }] : [])];
  return [candidate('ToolCalled', ...ways)];
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

/** The whole order where it is the same in every run, and who always came before whom. */
function orderCandidates(runs: readonly Run[]): Candidate[] {
  const orders = runs.map(({ toolCalls }) => toolCalls.filter(ran).map(({ name }) => name ?? ''));
  const [first = []] = orders;
  if (new Set(first).size < 2 || !first.every(isShown)) return [];
  const same = orders.every((order) => order.join('\n') === first.join('\n'));
  const whole = { mode: 'inOrder', calls: first.map((tool) => ({ tool })) };
  if (same && first.length <= longestOrder) return [candidate('ToolOrder', whole), ...pairCandidates(first)];
  return pairCandidates(first);
}

function pairCandidates(order: readonly string[]): Candidate[] {
  const distinct = [...new Set(order)];
  return distinct.slice(1).map((after, i) => {
    const pairs = [{ before: { tool: distinct[i] ?? '' }, after: { tool: after } }];
    return { ...candidate('ToolOrder', { mode: 'partial', pairs }), merge: 'order' as const };
  });
}
