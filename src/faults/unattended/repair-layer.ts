import type { ModelCall, ToolCall } from '../../agent/run.ts';
import { argumentsIn } from '../../instrument/tool-call-span.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import type { Span } from '../../trace/span.ts';
import type { View } from '../../verdict/assertion.ts';
import { spansOf } from '../../verdict/run-spans.ts';
import { type FaultEvents, wordIn } from '../read/fault-events.ts';

/** What tells of a layer that mends calls before they are validated; `null` where the trace cannot say. */
export interface RepairEvidence {
  /** Calls whose arguments differ from what the model wrote. */
  readonly changedArguments: number | null;
  /** A call that must be refused was sent to the dispatch, and was. */
  readonly canaryRejected: boolean | null;
  /** Names of spans that repair. */
  readonly repairSpans: readonly string[];
}

const repairing = /repair|fixing.?parser|coerc|normali[sz]e.?(?:args|arguments|input|call)/i;

/** Looks for a repair layer in what a run left. A canary to another tool says nothing of this one's dispatch. */
export function repairEvidence(view: View, events: FaultEvents, tool: string): RepairEvidence {
  const canaries = (events.get('evidence.canary') ?? []).filter((event) => wordIn(event, 'gen_ai.tool.name') === tool);
  // A tool or an agent may well be called so.
  const steps = new Set(view.run.toolCalls.flatMap(({ spans }) => spans));
  const layers = spansOf(view.run).filter((span) => !steps.has(span) && !span.attributes.has('gen_ai.operation.name'));
  const names = layers.flatMap(({ name }) => (repairing.test(name) ? [name] : []));
  return {
    changedArguments: changedArguments(view),
    canaryRejected: canaries.length === 0 ? null : canaries.every((event) => wordIn(event, 'stage') === 'rejected'),
    repairSpans: [...new Set(names)],
  };
}

/** Arguments as the model wrote them against those that the tool was given, call by call. */
function changedArguments({ run }: View): number | null {
  if (run.toolCalls.length === 0) return null;
  const asked = askedArguments(run.modelCalls);
  const compared = run.toolCalls.map((call) => sameAsAsked(call, asked));
  return compared.includes(null) ? null : compared.filter((same) => same === false).length;
}

/** `null` where a span of the tool does not tell what it got: what was read from the message alone is the message. */
function sameAsAsked(call: ToolCall, asked: ReadonlyMap<string, string>): boolean | null {
  const { callId, spans } = call;
  const wrote = callId === null ? undefined : asked.get(callId);
  const given = spans.map(argumentsOf).find((each) => each !== undefined);
  return given === undefined || wrote === undefined ? null : canonicalJson(given) === wrote;
}

/** What the span itself tells: a run's reading prefers what the model wrote. */
function argumentsOf({ attributes }: Span): unknown {
  const held = argumentsIn(Object.fromEntries(attributes) as Parameters<typeof argumentsIn>[0]);
  if (typeof held !== 'string') return held;
  try {
    return JSON.parse(held);
  } catch {
    return held;
  }
}

function askedArguments(modelCalls: readonly ModelCall[]): ReadonlyMap<string, string> {
  const parts = modelCalls.flatMap((model) => (model.outputMessages() ?? []).flatMap(({ toolCalls }) => toolCalls));
  return new Map(
    parts.flatMap(({ id, arguments: given }) =>
      id === null || given === undefined ? [] : [[id, canonicalJson(given)]],
    ),
  );
}
