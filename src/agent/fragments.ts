import { canonicalJson } from '../trace/canonical-json.ts';
import type { Trace } from '../trace/trace.ts';
import type { AgentRun } from './agent-run.ts';
import { grouped } from './grouped.ts';
import { layersOf } from './layers.ts';
import type { Run, ToolCall } from './run.ts';

/**
 * Tools that run in a thread of their own often leave traces of their own. Such a fragment holds tool spans and nothing
 * else that an agent does; it belongs to the run that asked for those very calls and has no span of them.
 */
export function isFragment(trace: Trace): boolean {
  const layers = layersOf(trace);
  return layers.some(({ kind }) => kind === 'tool') && layers.every(({ kind }) => kind !== 'model' && kind !== 'agent');
}

/** Calls that a run knows from messages alone. */
export function unspannedCalls(run: AgentRun): readonly ToolCall[] {
  return run.toolCalls.filter(({ layers }) => layers.length === 0);
}

/** The fragments of each run: matched by tool and arguments, inside the run's time; each fragment goes to one run. */
export function fragmentsOf(
  runs: readonly AgentRun[],
  fragments: readonly Trace[],
): ReadonlyMap<AgentRun, readonly Trace[]> {
  const due = runs.flatMap((run) =>
    unspannedCalls(run).map((call) => ({ run, key: keyOf(call.name, call.arguments()) })),
  );
  const wanted = grouped(due, ({ key }) => key);
  const found = new Map<AgentRun, Trace[]>();
  for (const trace of fragments) {
    const tool = layersOf(trace).find(({ kind }) => kind === 'tool');
    const open = wanted.get(keyOf(tool?.value('toolName') ?? null, tool?.value('arguments'))) ?? [];
    const place = open.findIndex(({ run }) => during(run, trace));
    const [taken] = place < 0 ? [] : open.splice(place, 1);
    if (taken === undefined) continue;
    const own = found.get(taken.run);
    if (own === undefined) found.set(taken.run, [trace]);
    else own.push(trace);
  }
  return found;
}

function keyOf(name: string | null, given: unknown): string {
  return `${name} ${given === undefined ? '' : canonicalJson(given)}`;
}

function during(run: Run, fragment: Trace): boolean {
  const start = fragment.spans[0]?.startUnixNano;
  if (start === undefined) return false;
  return run.traces.some(({ spans }) =>
    spans.some(
      ({ startUnixNano, endUnixNano }) => startUnixNano <= start && (endUnixNano === undefined || start <= endUnixNano),
    ),
  );
}
