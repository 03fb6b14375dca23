import { canonicalJson } from '../trace/canonical-json.ts';
import type { Trace } from '../trace/trace.ts';
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
export function unspannedCalls(run: Run): readonly ToolCall[] {
  return run.toolCalls.filter(({ spans }) => spans.length === 0);
}

/** The fragments of each run: matched by tool and arguments, inside the run's time; each fragment goes to one run. */
export function fragmentsOf(runs: readonly Run[], fragments: readonly Trace[]): ReadonlyMap<Run, readonly Trace[]> {
  const wanted = new Map<string, Run[]>();
  for (const run of runs) {
    for (const call of unspannedCalls(run)) {
      const key = keyOf(call.name, call.arguments());
      wanted.set(key, [...(wanted.get(key) ?? []), run]);
    }
  }
  const found = new Map<Run, Trace[]>();
  for (const trace of fragments) {
    const tool = layersOf(trace).find(({ kind }) => kind === 'tool');
    const due = wanted.get(keyOf(tool?.value('toolName') ?? null, tool?.value('arguments'))) ?? [];
    const place = due.findIndex((run) => during(run, trace));
    const [run] = place < 0 ? [] : due.splice(place, 1);
    if (run !== undefined) found.set(run, [...(found.get(run) ?? []), trace]);
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
