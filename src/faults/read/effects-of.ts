import type { EffectFact } from '../recovery/faulted-run.ts';
import { type FaultEvents, numberIn, wordIn } from './fault-events.ts';

/** Entries of the ledger in their order; `null` where the trace holds no snapshot after the drain. */
export function effectsOf(events: FaultEvents): readonly EffectFact[] | null {
  const snapshots = events.get('evidence.snapshot') ?? [];
  if (!snapshots.some((event) => wordIn(event, 'stage') === 'after')) return null;
  return (events.get('evidence.effect') ?? [])
    .toSorted((a, b) => (numberIn(a, 'index') ?? 0) - (numberIn(b, 'index') ?? 0))
    .map((event) => ({
      tool: wordIn(event, 'gen_ai.tool.name') ?? '',
      identity: numberIn(event, 'identity') ?? 0,
      state: (wordIn(event, 'state') ?? 'committed') as EffectFact['state'],
      hidden: wordIn(event, 'kind') === 'hidden',
    }));
}
