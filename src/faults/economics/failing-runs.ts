import type { Run } from '../../agent/run.ts';
import { startOrder } from '../read/visible-calls.ts';

/** One run in which a tool was called, as economics sees it. */
export interface ToolRun {
  readonly tool: string;
  readonly effect: 'read' | 'write' | null;
  /** A call of the tool failed. */
  readonly failing: boolean;
  readonly attempts: number;
  /** A later call of the tool succeeded. */
  readonly recovered: boolean;
  /** Input and output of the whole run; `null` where the trace does not tell all of it. */
  readonly tokens: number | null;
  readonly seconds: number | null;
}

/** What each run says of each of its tools. */
export function toolRuns(run: Run): ToolRun[] {
  const names = [...new Set(run.toolCalls.flatMap(({ name }) => name ?? []))];
  return names.map((tool) => {
    const calls = run.toolCalls.filter(({ name }) => name === tool).toSorted(startOrder);
    const failed = calls.findIndex(({ outcome }) => outcome === 'failed');
    return {
      tool,
      effect: calls.find(({ effect }) => effect !== null)?.effect ?? null,
      failing: failed >= 0,
      attempts: calls.length,
      recovered: failed >= 0 && calls.slice(failed + 1).some(({ outcome }) => outcome === 'succeeded'),
      tokens: tokensOf(run),
      seconds: secondsOf(run),
    };
  });
}

function tokensOf({ usage }: Run): number | null {
  if (usage.coverage !== 'all' || usage.input === null || usage.output === null) return null;
  return usage.input + usage.output;
}

function secondsOf({ rootSpan }: Run): number | null {
  if (rootSpan === null || rootSpan.endUnixNano === undefined) return null;
  return Number(rootSpan.endUnixNano - rootSpan.startUnixNano) / 1e9;
}
