import type { FaultKind } from '../../src/faults/plan/fault-kind.ts';
import type { SpanSketch } from '../view-builder.ts';

const scope = 'otel-eval';

/** A call that the model asks for. */
export interface StoryCall {
  readonly tool: string;
  readonly arguments?: object;
  /** Class of the error with which it fails. */
  readonly error?: string;
  readonly result?: unknown;
  /** The receipts say that this one was hit. */
  readonly hit?: boolean;
  readonly effect?: 'read' | 'write';
  /** What the user says after it. */
  readonly userSays?: string;
}

export interface StoryEffect {
  readonly tool: string;
  readonly identity?: number;
  readonly state?: string;
}

/** A run under one fault, as spans tell of it. What is left out is not in the trace. */
export interface FaultedStory {
  /** Without it there are no receipts. */
  readonly fault?: FaultKind;
  readonly calls: readonly StoryCall[];
  readonly final: string;
  /** Without it there is no ledger. */
  readonly effects?: readonly StoryEffect[];
  /** What the last snapshot counts. Default: the effects. */
  readonly snapshot?: number;
  /** Outcome of each check of the end state. */
  readonly endStates?: readonly boolean[];
  readonly ending?: string;
  readonly constraintBroken?: boolean;
}

type Event = NonNullable<SpanSketch['events']>[number];
type Numbered = StoryCall & { readonly id: string; readonly ordinal: number };

/** The spans of a run: agent, model calls, tool calls, and what the harness left. */
export function faultedStory(story: FaultedStory): SpanSketch[] {
  const spans: SpanSketch[] = [];
  const history: object[] = [message('user', [text('Please do it.')])];
  let delivered: Event[] = [];
  const ask = (at: number, parts: readonly object[]): void => {
    spans.push(chat(at, history, parts, delivered));
    delivered = [];
    history.push(message('assistant', parts));
  };
  for (const [at, call] of story.calls.entries()) {
    const one: Numbered = { ...call, id: `c${at + 1}`, ordinal: at + 1 };
    ask(at, [{ type: 'tool_call', id: one.id, name: one.tool, arguments: one.arguments ?? {} }]);
    spans.push(tool(at, one, story));
    if (one.hit === true) delivered = [receipt('delivered', story, one)];
    history.push(message('tool', [{ type: 'tool_call_response', id: one.id, response: resultOf(one) }]));
    if (one.userSays !== undefined) history.push(message('user', [text(one.userSays)]));
  }
  ask(story.calls.length, [text(story.final)]);
  return [agent(story), ...spans, ledger(story)];
}

function message(role: string, parts: readonly object[]): object {
  return { role, parts };
}

function text(content: string): object {
  return { type: 'text', content };
}

function resultOf({ error, result = { ok: true } }: StoryCall): unknown {
  return error === undefined ? result : { error };
}

function agent(story: FaultedStory): SpanSketch {
  return {
    id: '1',
    name: 'invoke_agent calendar',
    scope,
    start: 0,
    end: 5_000,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'calendar',
      'otel_eval.instrumented': 'all',
    },
    events: story.fault === undefined ? [] : [receipt('armed', story)],
  };
}

function chat(at: number, history: readonly object[], parts: readonly object[], events: Event[]): SpanSketch {
  return {
    id: `2${at}`,
    parent: '1',
    name: 'chat scripted-1',
    kind: 'client',
    scope,
    start: at * 100 + 10,
    end: at * 100 + 40,
    events,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted-1',
      'gen_ai.agent.name': 'calendar',
      'gen_ai.input.messages': JSON.stringify(history),
      'gen_ai.output.messages': JSON.stringify([message('assistant', parts)]),
    },
  };
}

function tool(at: number, call: Numbered, story: FaultedStory): SpanSketch {
  const seen = { name: 'otel_eval.evidence.call', attributes: { kind: 'model', ...placeOf(call) } };
  const hit = call.hit === true ? [receipt('matched', story, call), receipt('applied', story, call)] : [];
  return {
    id: `3${at}`,
    parent: '1',
    name: `execute_tool ${call.tool}`,
    scope,
    start: at * 100 + 50,
    end: at * 100 + 80,
    status: call.error === undefined ? 'unset' : 'error',
    events: story.fault === undefined ? [] : [seen, ...hit],
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.tool,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.call.arguments': JSON.stringify(call.arguments ?? {}),
      ...(call.effect === undefined ? {} : { 'otel_eval.tool.effect': call.effect }),
      ...(call.error === undefined
        ? { 'gen_ai.tool.call.result': JSON.stringify(resultOf(call)) }
        : { 'error.type': call.error }),
    },
  };
}

function placeOf({ tool: name, id, ordinal }: Numbered): object {
  return { virtual_time_ms: 0, calls: ordinal, 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': id };
}

function receipt(stage: string, { fault }: FaultedStory, call?: Numbered): Event {
  const row = { plan: 'sha256:0', row: '1', kind: fault, point: 'above_client', mode: 'single' };
  const place = call === undefined ? { virtual_time_ms: 0, calls: 0 } : placeOf(call);
  return { name: `otel_eval.fault.${stage}`, attributes: { ...row, ...place } };
}

function ledger({ effects, snapshot, endStates = [], ending, constraintBroken, calls }: FaultedStory): SpanSketch {
  const events: Event[] = [];
  const tell = (name: string, attributes: Record<string, unknown>): void => {
    events.push({ name: `otel_eval.evidence.${name}`, attributes });
  };
  tell('delivery', { 'record.count': calls.length });
  if (effects !== undefined) {
    tell('snapshot', { stage: 'before', 'record.count': 0 });
    tell('snapshot', { stage: 'after', 'record.count': snapshot ?? effects.length });
  }
  for (const success of endStates) tell('end_state', { success });
  if (ending !== undefined) tell('ending', { stage: ending });
  if (constraintBroken === true) tell('constraint', { stage: 'broken' });
  for (const [index, effect] of (effects ?? []).entries()) {
    const { tool: name, identity = 1, state = 'committed' } = effect;
    tell('effect', { index, identity, state, kind: 'told', 'gen_ai.tool.name': name });
  }
  return {
    id: '9',
    parent: '1',
    name: 'otel_eval ledger',
    scope: 'otel-eval/faults',
    start: 4_900,
    end: 4_950,
    events,
  };
}
