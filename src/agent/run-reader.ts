import { ownAttributes } from '../trace/own-attributes.ts';
import type { Trace } from '../trace/trace.ts';
import type { CollectedTrace } from '../trace/trace-set.ts';
import { AgentRun } from './agent-run.ts';
import { noteCuts } from './cut-content.ts';
import { fragmentsOf, isFragment, unspannedCalls } from './fragments.ts';
import { grouped } from './grouped.ts';
import type { Layer } from './layer.ts';
import { layersOf } from './layers.ts';
import { joined, mayBeResumed, resumedBy } from './resumed-runs.ts';
import type { Run } from './run.ts';
import { RunReading } from './run-reading.ts';

export interface RunOptions {
  /** The user says that all traces are one run. */
  readonly oneRun?: boolean;
  /** Traces of one conversation are one run. */
  readonly runBy?: 'conversation';
  /** Scopes that make a span for every model and tool call, failed ones too, at the user's word. */
  readonly instrumented?: readonly string[];
}

/**
 * Groups traces into runs as they come. A trace whose boundary is decided alone (a run id, an agent span at its top) is
 * given back at once; one without is held till the end, and all of them form one run with `boundary: 'none'`; a trace that
 * no convention knows is part of it only where no run has a boundary. Held too
 * are runs that may go on in other traces: with calls that only messages tell of, or that wait for a person.
 *
 * @example
 * const reader = createRunReader();
 * for await (const group of collection.groups()) judge(reader.add(group));
 * judge(reader.end());
 */
export interface RunReader {
  /** The runs that are whole with this group. */
  add(group: readonly CollectedTrace[]): Run[];
  /** The runs of all traces that were held. */
  end(): Run[];
}

export function createRunReader(options: RunOptions = {}): RunReader {
  let held: Trace[] = [];
  // Traces that no convention knows are somebody's runs only where there is no run of an agent.
  let plain: Trace[] = [];
  let agentsSeen = false;
  // Runs that may have more in other traces: calls that only messages tell of, calls that wait for a person.
  let open: AgentRun[] = [];
  const { instrumented = [] } = options;
  const vouched = (runs: AgentRun[]): Run[] =>
    instrumented.length === 0 ? runs : runs.map((run) => run.vouchedFor(instrumented));
  const holdsAll = options.oneRun === true || options.runBy !== undefined;
  /** With the run that it goes on with, where there is one. */
  const wholeOf = (run: AgentRun): AgentRun => {
    const earlier = open.length === 0 ? undefined : resumedBy(run, open);
    if (earlier === undefined) return run;
    open = open.filter((one) => one !== earlier);
    return joined(earlier, run);
  };
  return {
    add(group) {
      for (const each of group) noteCuts(each);
      const traces = group.map(({ trace }) => trace);
      if (holdsAll) {
        held.push(...traces);
        return [];
      }
      const { runs, loose, unknown } = bounded(traces.sort(byStart));
      held.push(...loose);
      agentsSeen ||= runs.length > 0;
      if (agentsSeen) plain = [];
      else plain.push(...unknown);
      const whole = runs.flatMap((run) => {
        const one = wholeOf(run);
        if (!isOpen(one)) return [one];
        open.push(one);
        return [];
      });
      return vouched(whole);
    },
    end() {
      const traces = [...held, ...plain].sort(byStart);
      held = [];
      plain = [];
      if (!holdsAll) return vouched(withFragments(open.splice(0), traces));
      if (traces.length === 0) return [];
      if (options.oneRun !== true) return vouched(byConversation(traces));
      return vouched([new AgentRun({ traces, runId: soleRunId(traces), boundary: 'user' })]);
    },
  };
}

function isOpen(run: AgentRun): boolean {
  return unspannedCalls(run).length > 0 || mayBeResumed(run);
}

function withFragments(open: readonly AgentRun[], held: readonly Trace[]): AgentRun[] {
  const found = fragmentsOf(open, open.length === 0 ? [] : held.filter(isFragment));
  const claimed = new Set([...found.values()].flat());
  const runs = open.map((run) => {
    const fragments = found.get(run);
    if (fragments === undefined) return run;
    return new AgentRun({
      traces: [...run.traces, ...fragments].sort(byStart),
      runId: run.runId,
      boundary: run.boundary,
    });
  });
  const rest = held.filter((trace) => !claimed.has(trace));
  return rest.length === 0 ? runs : [...runs, heap(rest)];
}

/** All runs of traces that are at hand together. */
export function readRuns(traces: readonly CollectedTrace[], options: RunOptions = {}): Run[] {
  const reader = createRunReader(options);
  return [...reader.add(traces), ...reader.end()];
}

function bounded(traces: readonly Trace[]): { runs: AgentRun[]; loose: Trace[]; unknown: Trace[] } {
  const byRunId = new Map<string, Trace[]>();
  const runs: AgentRun[] = [];
  const loose: Trace[] = [];
  const unknown: Trace[] = [];
  for (const trace of traces) {
    const runId = runIdOf(trace);
    if (runId !== undefined) {
      const own = byRunId.get(runId);
      if (own === undefined) byRunId.set(runId, [trace]);
      else own.push(trace);
      continue;
    }
    const layers = layersOf(trace);
    if (agentAtTop(layers)) runs.push(ofOneTrace(trace, layers));
    else if (layers.length > 0) loose.push(trace);
    else unknown.push(trace);
  }
  for (const [runId, own] of byRunId) runs.push(new AgentRun({ traces: own.sort(byStart), runId, boundary: 'run-id' }));
  return { runs, loose, unknown };
}

function ofOneTrace(trace: Trace, layers: readonly Layer[]): AgentRun {
  const traces = [trace];
  return new AgentRun({ traces, runId: null, boundary: 'agent', reading: new RunReading(traces, false, layers) });
}

function runIdOf(trace: Trace): string | undefined {
  for (const { attributes } of trace.spans) {
    const id = attributes.get(ownAttributes.runId);
    if (typeof id === 'string' && id !== '') return id;
  }
  return undefined;
}

function soleRunId(traces: readonly Trace[]): string | null {
  const ids = new Set(traces.map(runIdOf));
  const [only] = ids;
  return ids.size === 1 ? (only ?? null) : null;
}

/** The first thing that a dialect knows is an agent: nothing of the run lies outside of it. */
function agentAtTop(layers: readonly Layer[]): boolean {
  return layers.find(({ kind }) => kind !== 'phantom' && kind !== 'other')?.kind === 'agent';
}

function heap(traces: readonly Trace[]): AgentRun {
  return new AgentRun({ traces, runId: null, boundary: 'none' });
}

function byConversation(traces: readonly Trace[]): AgentRun[] {
  const groups = grouped(
    traces,
    (trace) => new AgentRun({ traces: [trace], runId: null, boundary: 'none' }).conversationId,
  );
  const loose = groups.get(null) ?? [];
  groups.delete(null);
  const runs = [...groups.values()].map(
    (own) => new AgentRun({ traces: own, runId: soleRunId(own), boundary: 'conversation' }),
  );
  const rest = bounded(loose);
  const heaped = runs.length + rest.runs.length > 0 ? rest.loose : [...rest.loose, ...rest.unknown].sort(byStart);
  return [...runs, ...rest.runs, ...(heaped.length > 0 ? [heap(heaped)] : [])];
}

function byStart(a: Trace, b: Trace): number {
  const [first, second] = [a.spans[0]?.startUnixNano ?? 0n, b.spans[0]?.startUnixNano ?? 0n];
  return first < second ? -1 : first > second ? 1 : a.traceId < b.traceId ? -1 : 1;
}
