import { canonicalJson } from '../trace/canonical-json.ts';
import { AgentRun } from './agent-run.ts';
import { RunReading } from './run-reading.ts';
import type { LayeredToolCall } from './tool-calls.ts';
import type { ToolGroup } from './tool-groups.ts';

// A run that waits for a person often ends its trace, and goes on in another one when the person has answered. What
// waits there is carried out here: one call, one run.

interface Waiting {
  readonly name: string | null;
  readonly callId: string | null;
  readonly given: string | undefined;
  readonly agent: string | null;
}

/** Calls that may wait for a person: the run ends with them, and nothing says what became of them. */
function waitingIn(run: AgentRun): readonly Waiting[] {
  const marked = run.waitingGroups.map(({ layers, agentLayer }: ToolGroup) => ({
    agent: agentLayer?.value('agent') ?? layers[0]?.value('agent') ?? null,
    name: layers[0]?.value('toolName') ?? null,
    callId: layers[0]?.value('callId') ?? null,
    given: textOf(layers[0]?.value('arguments')),
  }));
  return [...marked, ...run.toolCalls.filter(mayWait).map(told)];
}

function mayWait({ layers, outcome }: LayeredToolCall): boolean {
  return layers.length > 0 && outcome === 'unknown';
}

function told(call: LayeredToolCall): Waiting {
  return { name: call.name, callId: call.callId, given: textOf(call.arguments()), agent: call.agent };
}

function textOf(given: unknown): string | undefined {
  return given === undefined ? undefined : canonicalJson(given);
}

export function mayBeResumed(run: AgentRun): boolean {
  return run.waitingGroups.length > 0 || run.toolCalls.some(mayWait);
}

/** The first of the waiting runs that the other one goes on with. */
export function resumedBy(later: AgentRun, waiting: readonly AgentRun[]): AgentRun | undefined {
  const firstModel = later.modelCalls[0]?.position ?? Number.POSITIVE_INFINITY;
  const begins = [...later.toolCalls].filter(({ place }) => place < firstModel);
  if (begins.length === 0) return undefined;
  return waiting.find(
    (run) => follows(later, run) && waitingIn(run).some((call) => begins.some((done) => isSame(call, done))),
  );
}

/** By call id; without one by arguments, and then only where a result shows that this one was carried out. */
function isSame(waiting: Waiting, done: LayeredToolCall): boolean {
  if (waiting.name !== done.name || waiting.agent !== done.agent) return false;
  if (waiting.callId !== null || done.callId !== null) return waiting.callId === done.callId;
  return waiting.given !== undefined && waiting.given === textOf(done.arguments()) && done.hasResult;
}

function follows(later: AgentRun, run: AgentRun): boolean {
  const [first] = later.traces;
  const last = run.traces.at(-1);
  const end =
    last?.spans.reduce((latest, { endUnixNano = 0n }) => (endUnixNano > latest ? endUnixNano : latest), 0n) ?? 0n;
  return first !== last && (first?.spans[0]?.startUnixNano ?? 0n) >= end - slackNano;
}

/** Clocks of JavaScript SDKs round starts down to milliseconds. */
const slackNano = 1_000_000n;

/** Both parts as one run. */
export function joined(run: AgentRun, later: AgentRun): AgentRun {
  const traces = [...run.traces, ...later.traces];
  return new AgentRun({ traces, runId: run.runId, boundary: run.boundary, reading: new RunReading(traces, true) });
}
