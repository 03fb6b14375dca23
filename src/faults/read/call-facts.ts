import type { Json, ModelCall, ToolCall } from '../../agent/run.ts';
import { canonicalJson } from '../../trace/canonical-json.ts';
import type { View } from '../../verdict/assertion.ts';
import type { CallFact, FaultedRun } from '../recovery/faulted-run.ts';
import type { RecoveryOptions } from './recovery-options.ts';
import { isAboutSame } from './same-entity.ts';
import { startOrder, type VisibleCall } from './visible-calls.ts';

export interface CallPlaces {
  /** Calls that met a fault before the model knew of one. */
  readonly faulted: ReadonlySet<ToolCall>;
  /** How many calls had begun when the model got it; `null` where no receipt says so. */
  readonly deliveredAt: number | null;
}

/** The calls as the rules want them. */
export function callFacts(
  view: View,
  calls: readonly VisibleCall[],
  places: CallPlaces,
  options: RecoveryOptions,
): readonly CallFact[] {
  const operation = operationReader(view, calls);
  const [first] = places.faulted;
  return calls.map(({ call, ordinal, virtualTimeMs }) => {
    const given = call.arguments();
    const result = call.result();
    return {
      tool: call.name ?? '',
      operation: operation(call),
      effect: call.effect ?? options.effects[call.name ?? ''] ?? 'unknown',
      outcome: call.outcome === 'succeeded' ? 'ok' : call.outcome === 'failed' ? 'failed' : 'unknown',
      place: placeOf({ call, ordinal, virtualTimeMs }, view, calls, places),
      keyed: options.idempotencyKeys.some((name) => holds(given, name) || call.stampedArgumentDigests.has(name)),
      aboutFaulted: first === undefined ? 'unknown' : isAboutSame(call, first),
      replayed: holds(result, 'replayed') && (result as { readonly replayed?: Json }).replayed === true,
      virtualTimeMs,
    };
  });
}

export function controlFacts(
  view: View,
  calls: readonly VisibleCall[],
  { control }: RecoveryOptions,
): FaultedRun['control'] {
  if (control === undefined) return null;
  const name = operationNamer(view, calls);
  return control.map(({ tool, arguments: given }) => ({
    tool,
    operation: given === undefined ? null : (name(tool, given) ?? null),
  }));
}

function placeOf(
  { call, ordinal }: VisibleCall,
  { run }: View,
  calls: readonly VisibleCall[],
  { faulted, deliveredAt }: CallPlaces,
): CallFact['place'] {
  if (faulted.has(call)) return 'faulted';
  if (deliveredAt !== null && ordinal !== null) return ordinal > deliveredAt ? 'after' : 'before';
  const first = calls.findIndex((each) => faulted.has(each.call));
  const own = calls.findIndex((each) => each.call === call);
  const origin = calls[first]?.call;
  if (origin === undefined || own < first) return 'before';
  if (call.parallelGroup !== null && call.parallelGroup === origin.parallelGroup) return 'before';
  return askedBetween(origin, call, run.modelCalls) ? 'after' : 'before';
}

/** A call is an answer to a failure only where the model was asked in between, or where its calls cannot be seen. */
function askedBetween(origin: ToolCall, call: ToolCall, modelCalls: readonly ModelCall[]): boolean {
  const before = modelCalls.filter((model) => startOrder(model, origin) < 0);
  if (before.length === 0) return true;
  return modelCalls.some((model) => startOrder(origin, model) < 0 && startOrder(model, call) < 0);
}

type Reader = (call: ToolCall) => string | null;

/** Operations by arguments where all are visible, else by their digests, else by number. */
function operationReader(view: View, calls: readonly VisibleCall[]): Reader {
  const way = wayOf(view, calls);
  if (way === 'arguments') return (call) => canonicalJson([call.name, call.arguments()]);
  if (way === 'digest') {
    return (call) => canonicalJson([call.name, call.stampedArgumentsDigest ?? view.digest(call.arguments())]);
  }
  return ({ operation }) => (operation === null ? null : `operation ${operation}`);
}

function operationNamer(view: View, calls: readonly VisibleCall[]): (tool: string, given: Json) => string | undefined {
  const way = wayOf(view, calls);
  if (way === 'arguments') return (tool, given) => canonicalJson([tool, given]);
  return way === 'digest' ? (tool, given) => canonicalJson([tool, view.digest(given)]) : () => undefined;
}

function wayOf(view: View, calls: readonly VisibleCall[]): 'arguments' | 'digest' | 'number' {
  if (calls.every(({ call }) => call.arguments() !== undefined)) return 'arguments';
  const digests = calls.every(({ call }) => call.stampedArgumentsDigest !== undefined);
  return digests && view.digest(null) !== null ? 'digest' : 'number';
}

function holds(value: Json | undefined, key: string): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}
