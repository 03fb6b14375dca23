import type { EffectFact } from '../recovery/faulted-run.ts';
import { type FaultEvent, type FaultEvents, numberIn, wordIn } from './fault-events.ts';

/**
 * Entries of the ledger in their order; `null` where the trace holds no snapshot after the drain, or not the entries that the
 * snapshots count: an SDK drops events beyond its limit without a word, and a lost entry may be the second effect.
 */
export function effectsOf(events: FaultEvents): readonly EffectFact[] | null {
  const snapshots = events.get('evidence.snapshot') ?? [];
  if (!snapshots.some((event) => wordIn(event, 'stage') === 'after')) return null;
  const entries = (events.get('evidence.effect') ?? [])
    .toSorted((a, b) => (numberIn(a, 'index') ?? 0) - (numberIn(b, 'index') ?? 0))
    .flatMap((event) => effectIn(event) ?? []);
  return entries.length === counted(snapshots, 'after') - counted(snapshots, 'before') ? entries : null;
}

function counted(snapshots: readonly FaultEvent[], stage: string): number {
  const own = snapshots.filter((event) => wordIn(event, 'stage') === stage);
  return own.reduce((sum, event) => sum + (numberIn(event, 'record.count') ?? Number.NaN), 0);
}

const states: readonly EffectFact['state'][] = ['committed', 'rejected', 'undone'];

/** An entry that cannot be read is none: the count of the snapshot tells that it is missing. */
function effectIn(event: FaultEvent): EffectFact | undefined {
  const identity = numberIn(event, 'identity');
  const state = states.find((each) => each === wordIn(event, 'state'));
  if (identity === null || state === undefined) return undefined;
  return { tool: wordIn(event, 'gen_ai.tool.name') ?? '', identity, state, hidden: wordIn(event, 'kind') === 'hidden' };
}
