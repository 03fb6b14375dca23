import { wilson } from '../../statistics/wilson.ts';
import type { ToolRun } from './failing-runs.ts';

/** How much the failures of one tool cost. */
export interface RankedTool {
  readonly tool: string;
  readonly effect: 'read' | 'write' | 'unknown';
  readonly runs: number;
  readonly failingRuns: number;
  readonly failureRate: number;
  /** Wilson, 95 %. */
  readonly lower: number;
  readonly upper: number;
  /** Mean over failing runs that tell their tokens; `null` where none does. */
  readonly tokensPerFailingRun: number | null;
  /** Failure rate × tokens per failing run: tokens that failures cost in an average run. */
  readonly score: number | null;
}

/**
 * Tools by what their failures cost, those that change something first: a failed write can be done twice. A tool of which
 * nobody says that it only reads counts as one that writes.
 */
export function rankTools(
  runs: readonly ToolRun[],
  effects: Readonly<Record<string, 'read' | 'write'>> = {},
): RankedTool[] {
  const names = [...new Set(runs.map(({ tool }) => tool))];
  return names
    .map((tool) =>
      ranked(
        tool,
        runs.filter((run) => run.tool === tool),
        effects,
      ),
    )
    .sort(byWeight);
}

function ranked(
  tool: string,
  own: readonly ToolRun[],
  effects: Readonly<Record<string, 'read' | 'write'>>,
): RankedTool {
  const failing = own.filter((run) => run.failing);
  const tokens = failing.flatMap((run) => run.tokens ?? []);
  const failureRate = failing.length / own.length;
  const perRun = tokens.length === 0 ? null : tokens.reduce((sum, each) => sum + each, 0) / tokens.length;
  const { lower, upper } = wilson(failing.length, own.length);
  return {
    tool,
    effect: effects[tool] ?? own.find(({ effect }) => effect !== null)?.effect ?? 'unknown',
    runs: own.length,
    failingRuns: failing.length,
    failureRate,
    lower,
    upper,
    tokensPerFailingRun: perRun,
    score: failing.length === 0 ? 0 : perRun === null ? null : failureRate * perRun,
  };
}

function byWeight(a: RankedTool, b: RankedTool): number {
  const harmless = (each: RankedTool): number => (each.effect === 'read' ? 1 : 0);
  const unknown = (each: RankedTool): number => each.score ?? -1;
  return (
    harmless(a) - harmless(b) || unknown(b) - unknown(a) || b.failureRate - a.failureRate || (a.tool < b.tool ? -1 : 1)
  );
}
