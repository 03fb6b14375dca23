import { digest, type Truth, type Usage, type View } from './capture.ts';

type Run = View['runs'][number];
type ReadCall = Run['toolCalls'][number];

/** What a reading says differently from the truth, and which facts it says that it does not know. */
export interface Comparison {
  readonly wrong: readonly string[];
  readonly unknown: readonly string[];
}

/** Compares a run as it was read with what the ledger says; parallel calls in any order. */
export function compareRun(run: Run, truth: Truth): Comparison {
  const wrong: string[] = [];
  const unknown = new Set<string>();
  const hold = (fact: string, read: unknown, real: unknown): void => {
    if (read === null || read === 'unknown') unknown.add(fact);
    else if (JSON.stringify(read) !== JSON.stringify(real)) {
      wrong.push(`${fact}: ${JSON.stringify(read)}, in truth ${JSON.stringify(real)}`);
    }
  };
  hold(
    'number of model calls',
    run.modelCalls.reduce((sum, { calls }) => sum + (calls ?? 0), 0),
    truth.modelCalls.length,
  );
  for (const [i, { usage }] of truth.modelCalls.entries()) compareUsage(run.modelCalls[i]?.usage ?? null, usage, hold);
  compareUsage(run.usage, truth.usage, hold);
  hold('number of tool calls', run.toolCalls.length, truth.toolCalls.length);
  hold('not run', run.requestedNotRun.length, 0);
  const read = inTruthOrder(run.toolCalls, truth);
  for (const [i, real] of truth.toolCalls.entries()) {
    const call = read[i];
    if (call === undefined) continue;
    hold('tool name', call.name, real.name);
    hold('call id', call.callId, real.callId);
    hold('attempt', call.attempt, real.attempt);
    hold('arguments', call.argumentsDigest, digest(real.arguments));
    if (call.outcome === 'ended') unknown.add('outcome');
    else hold('outcome', call.outcome, real.outcome === 'succeeded' ? 'succeeded' : 'failed');
  }
  hold('parallel calls', groupSizes(run.toolCalls), groupSizes(truth.toolCalls));
  return { wrong, unknown: [...unknown].sort() };
}

function compareUsage(
  read: Partial<Usage> | null,
  real: Usage,
  hold: (fact: string, read: unknown, real: unknown) => void,
): void {
  for (const kind of ['input', 'cachedInput', 'output', 'reasoning'] as const) {
    // Many leave out a zero.
    if (real[kind] > 0 || (read?.[kind] ?? 0) > 0) hold(`usage, ${kind}`, read?.[kind] ?? null, real[kind]);
  }
}

function groupSizes(calls: readonly { readonly parallelGroup: number | null }[]): readonly number[] {
  const sizes = new Map<number, number>();
  for (const { parallelGroup } of calls) {
    if (parallelGroup !== null) sizes.set(parallelGroup, (sizes.get(parallelGroup) ?? 0) + 1);
  }
  return [...sizes.values()];
}

/** Calls of one turn have no order: those that the truth knows as parallel stand as their outcomes do. */
function inTruthOrder(calls: readonly ReadCall[], { toolCalls }: Truth): readonly ReadCall[] {
  const left = [...calls];
  return toolCalls.flatMap(({ name, outcome, parallelGroup }) => {
    const same = (call: ReadCall): boolean =>
      call.name === name && (call.outcome === 'failed') === (outcome !== 'succeeded');
    const at = parallelGroup === null ? 0 : Math.max(0, left.findIndex(same));
    return left.splice(at, 1);
  });
}
