import type { Json, ToolCall } from '../../agent/run.ts';
import type { View } from '../../verdict/assertion.ts';
import { spansExamined } from '../../verdict/run-spans.ts';
import { nounsOf, readMessage } from '../message/read-message.ts';
import { type FaultKind, faultKinds, type InjectionPoint } from '../plan/fault-kind.ts';
import type { CallFact, EffectFact, Ending, FaultedRun, MessageFact, Receipts } from '../recovery/faulted-run.ts';
import { isSilent } from '../recovery/reaction.ts';
import { callFacts, controlFacts } from './call-facts.ts';
import { effectsOf } from './effects-of.ts';
import { endStateOf } from './end-state.ts';
import { type FaultEvent, type FaultEvents, faultEventsOf, numberIn, wordIn } from './fault-events.ts';
import { sessionEvents, type WantedRow } from './fault-sessions.ts';
import { groundedIn } from './grounded.ts';
import type { RecoveryOptions } from './recovery-options.ts';
import { callOf, startOrder, type VisibleCall, visibleCalls } from './visible-calls.ts';

/** Reads all that decides about recovery from one run: receipts, calls, ledger, final message. */
export function faultedRunOf(view: View, options: RecoveryOptions, planned?: WantedRow): FaultedRun {
  const { run } = view;
  const { events, sessions } = sessionEvents(faultEventsOf(run), planned);
  const calls = visibleCalls(view, events);
  const injected = (events.get('fault.armed') ?? []).length > 0 || (events.get('fault.applied') ?? []).length > 0;
  const faulted = injected ? injectedCalls(view, calls, events) : observedCalls(calls);
  const receipts = receiptsOf(view, events, faulted);
  const delivered = events.get('fault.delivered')?.[0];
  const facts = callFacts(view, calls, { faulted: new Set(faulted), deliveredAt: deliveredAt(delivered) }, options);
  const effects = effectsOf(events);
  const fault = injected ? faultOf(events, delivered) : observedFault(faulted);
  return {
    level: injected ? 'injected' : 'observed_fault',
    fault,
    receipts,
    spans: spansExamined(run),
    sessions,
    harnessError: harnessError(events),
    attended: run.humanInputs.some((input) => isLater(input, view)),
    calls: facts,
    control: controlFacts(view, calls, options),
    declared: options,
    effects,
    goalTools: goalTools(options, facts, effects),
    endStatePasses: endStateOf(events),
    constraintBroken: (events.get('evidence.constraint') ?? []).length > 0,
    ending: endingOf(view, events),
    message: messageOf(view, faulted, effects, options),
    budget: options.budget,
    grounded: fault !== null && isSilent(fault.kind) ? groundedIn(calls, facts) : null,
  };
}

function injectedCalls(view: View, calls: readonly VisibleCall[], events: FaultEvents): readonly ToolCall[] {
  const delivered = deliveredAt(events.get('fault.delivered')?.[0]);
  const all = calls.map(({ call }) => call);
  const found = (events.get('fault.applied') ?? []).flatMap((event) => {
    const ordinal = numberIn(event, 'calls');
    // What is hit after the model knew is a part of its reaction.
    if (delivered !== null && ordinal !== null && ordinal > delivered) return [];
    return (
      calls.find((each) => each.ordinal !== null && each.ordinal === ordinal)?.call ??
      callOf(event, all, view.run, new Map()) ??
      []
    );
  });
  return delivered === null ? found.slice(0, 1) : [...new Set(found)];
}

/** Without receipts: the first call that failed, and the first of any other tool. */
function observedCalls(calls: readonly VisibleCall[]): readonly ToolCall[] {
  const failed = calls.map(({ call }) => call).filter(({ outcome }) => outcome === 'failed');
  return failed.filter((call, at) => failed.findIndex(({ name }) => name === call.name) === at);
}

function receiptsOf(view: View, events: FaultEvents, faulted: readonly ToolCall[]): Receipts {
  const has = (stage: string): boolean => (events.get(`fault.${stage}`) ?? []).length > 0;
  const watched = (events.get('evidence.delivery') ?? []).some((event) => (numberIn(event, 'record.count') ?? 0) > 0);
  const seen = has('delivered') || seenInMessages(view, faulted);
  return {
    armed: has('armed'),
    matched: has('matched'),
    applied: has('applied'),
    delivered: seen ? true : watched ? false : null,
  };
}

/** Content mode: a later request to the model holds the failed call's result. */
function seenInMessages({ run }: View, faulted: readonly ToolCall[]): boolean {
  const ids = new Set(faulted.filter(({ outcome }) => outcome === 'failed').flatMap(({ callId }) => callId ?? []));
  if (ids.size === 0) return false;
  return run.modelCalls.some((model) =>
    (model.inputMessages() ?? []).some(({ toolResults }) => toolResults.some(({ id }) => id !== null && ids.has(id))),
  );
}

function deliveredAt(delivered: FaultEvent | undefined): number | null {
  return delivered === undefined ? null : numberIn(delivered, 'calls');
}

function faultOf(events: FaultEvents, delivered: FaultEvent | undefined): FaultedRun['fault'] {
  const event = ['applied', 'matched', 'armed'].flatMap((stage) => events.get(`fault.${stage}`) ?? [])[0];
  if (event === undefined) return null;
  const kind = faultKinds.find((each) => each === wordIn(event, 'kind'));
  const point = wordIn(event, 'point');
  if (kind === undefined) return null;
  return {
    kind,
    point: point === 'above_client' || point === 'below_client' ? (point as InjectionPoint) : null,
    retryAfterMs: numberIn(event, 'retry_after_ms'),
    deliveredAtMs: delivered === undefined ? null : numberIn(delivered, 'virtual_time_ms'),
  };
}

const timeouts = /time-?d?[ _-]?out|deadline/i;

function observedFault([first]: readonly ToolCall[]): FaultedRun['fault'] {
  if (first === undefined) return null;
  const type = first.spans
    .map(({ attributes }) => attributes.get('error.type'))
    .find((value) => typeof value === 'string');
  const kind = typeof type === 'string' ? kindOfType(type) : 'error';
  return { kind, point: null, retryAfterMs: null, deliveredAtMs: null };
}

function kindOfType(type: string): FaultKind {
  if (timeouts.test(type)) return 'timeout';
  if (/^429$|rate.?limit/i.test(type)) return 'http_429';
  return /^503$|unavailable/i.test(type) ? 'http_503' : 'error';
}

function harnessError(events: FaultEvents): string | null {
  const [event] = events.get('evidence.harness') ?? [];
  return event === undefined ? null : `the harness failed at its ${wordIn(event, 'stage') ?? 'work'}`;
}

/** The worst first: where several ends are told of, that one counts. */
const endings: readonly Ending[] = ['crash', 'timeout', 'loop_guard', 'final_message'];

function endingOf({ run }: View, events: FaultEvents): Ending {
  const stages = (events.get('evidence.ending') ?? []).map((event) => wordIn(event, 'stage'));
  const told = endings.find((each) => stages.includes(each));
  if (told !== undefined) return told;
  if (run.rootSpan?.status.code === 'error') return 'crash';
  return run.modelCalls.length > 0 ? 'final_message' : 'unknown';
}

/** A tool that nobody tells of counts as a write; but where the ledger never names it, it may as well be a read. */
function goalTools(
  { goal }: RecoveryOptions,
  calls: FaultedRun['calls'],
  effects: FaultedRun['effects'],
): readonly string[] {
  if (goal.length > 0) return goal;
  const isNamed = (tool: string): boolean => effects?.some((each) => each.tool === tool) ?? false;
  const writes = ({ tool, effect }: CallFact): boolean => effect === 'write' || (effect === 'unknown' && isNamed(tool));
  const faulted = calls.filter((call) => call.place === 'faulted' && writes(call));
  return [...new Set(faulted.map(({ tool }) => tool))];
}

/** The message that starts a run is no input after its start. */
export function isLater({ kind, spans }: View['run']['humanInputs'][number], { run }: View): boolean {
  const [own] = spans;
  const [first] = run.modelCalls[0]?.spans ?? [];
  return kind !== 'message' || own === undefined || first === undefined || own.startUnixNano > first.startUnixNano;
}

function messageOf(
  view: View,
  faulted: readonly ToolCall[],
  effects: readonly EffectFact[] | null,
  { message: patterns }: RecoveryOptions,
): MessageFact | null {
  const text = finalText(view);
  if (text === undefined || text.trim() === '') return null;
  const subjects = faulted.flatMap((call) => [...nounsOf(call.name ?? ''), ...wordsOf(call.arguments(), 0)]);
  const effectTools = [...new Set((effects ?? []).map(({ tool }) => tool))];
  return readMessage(text, { patterns, subjects, effectTools });
}

/** What the run's own agent said last, by the order in which its model calls began. */
function finalText({ run }: View): string | undefined {
  const own = run.modelCalls.filter(({ agent }) => agent === null || run.agent === null || agent === run.agent);
  const messages = own.toSorted(startOrder).at(-1)?.outputMessages();
  return messages?.map(({ text }) => text).join('\n');
}

/** Short texts among the arguments: names, times, ids. */
function wordsOf(value: Json | undefined, depth: number): readonly string[] {
  if (typeof value === 'string') return value.length > 2 && value.length < 60 ? [value.toLowerCase()] : [];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((each) => wordsOf(each as Json, depth + 1));
}
