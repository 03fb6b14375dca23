import type { ToolCall } from '../../agent/run.ts';
import { effectsOf } from '../read/effects-of.ts';
import type { FaultEvents } from '../read/fault-events.ts';
import { effectBalance } from '../recovery/effect-balance.ts';

export interface ReplaysFound {
  /** Times that a call which had succeeded was made again, by its arguments or by the ledger's key. */
  readonly replays: number;
  /** How often the effect that stands most often stands. */
  readonly standing: number;
  readonly hasLedger: boolean;
}

/** What came of calls that were made again after they had succeeded. */
export function replaysOf(calls: readonly ToolCall[], events: FaultEvents, tool: string): ReplaysFound {
  const own = calls.filter(({ name }) => name === tool);
  const again = own.filter((call, at) => own.slice(0, at).some((earlier) => isReplay(earlier, call))).length;
  const effects = effectsOf(events)?.filter((effect) => effect.tool === tool) ?? null;
  if (effects === null) return { replays: again, standing: 0, hasLedger: false };
  const identities = [...new Set(effects.map(({ identity }) => identity))];
  const balances = identities.map((identity) => effectBalance(effects.filter((each) => each.identity === identity)));
  const tries = balances.reduce((sum, { duplicateAttempts }) => sum + duplicateAttempts, 0);
  const standing = Math.max(0, ...balances.map((balance) => balance.standing.get(tool) ?? 0));
  return { replays: Math.max(again, tries), standing, hasLedger: true };
}

function isReplay(earlier: ToolCall, call: ToolCall): boolean {
  const succeeded = earlier.outcome === 'succeeded' || earlier.outcome === 'ended';
  return succeeded && call.operation !== null && call.operation === earlier.operation;
}
