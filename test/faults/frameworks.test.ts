import { resolve } from 'node:path';
import { OpenTelemetry } from '@ai-sdk/otel';
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { registerTelemetry } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { otlpReceiverCollector } from '../../collectors/otlp-receiver.ts';
import { FaultSession } from '../../src/faults/inject/fault-session.ts';
import { faultedFetch } from '../../src/faults/inject/faulted-fetch.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { faults } from '../../src/faults/kinds/index.ts';
import { type PlanRow, parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { controlRunOf } from '../../src/faults/read/control-run-of.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import {
  type CallOutcome,
  type ReferenceAgentName,
  referenceAgentNames,
  referenceAgents,
} from '../../src/faults/reference/reference-agents.ts';
import { retryingClient, toolServer } from '../../src/faults/reference/retrying-client.ts';
import { runReference } from '../../src/faults/reference/run-reference.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { CollectedTrace, Collector } from '../../src/trace/trace-set.ts';
import { builtJaeger, withoutJaeger } from '../servers/built-jaeger.ts';
import { RunningJaeger } from '../servers/running-jaeger.ts';
import { calendarCases, calendarRows } from './calendar-cases.ts';
import { record, setUpTracing, viewOfTraces } from './recorder.ts';

// Two real frameworks with a scripted model: the reference agents decide, the frameworks call, trace and hand on errors.
const frameworks = { 'Vercel AI SDK': 'ai-sdk', LangGraph: 'langgraph' } as const;
const captures = resolve(import.meta.dirname, '../../fixtures/captures');
type Framework = keyof typeof frameworks;

beforeAll(() => {
  setUpTracing();
  registerTelemetry(new OpenTelemetry());
  new LangChainInstrumentation().manuallyInstrument(callbacks);
});

interface Result {
  readonly text: string;
  readonly failed: boolean;
}

const stepLimit = 12;

async function runFramework(framework: Framework, agent: ReferenceAgentName, row: PlanRow) {
  const world = calendarTask.open();
  return record(async () => {
    const session = new FaultSession({ plan, row, ledger: world.ledger, tools: world.specs });
    const client = retryingClient(Object.keys(world.tools), faultedFetch(toolServer(world.tools)));
    const wrapped = wrapTools(session, session.row.point === 'below_client' ? client : world.tools);
    const tools = Object.fromEntries(
      Object.entries(wrapped).map(([name, run]) => [
        name,
        { description: name, parameters: { type: 'object', properties: {}, additionalProperties: true }, run },
      ]),
    );
    const { runAgent } = await import(`${captures}/${frameworks[framework]}/agent.mjs`);
    const model = modelOf(agent, session, world);
    // Each framework has a loop guard of its own; one throws, the other stops without a word.
    await runAgent({
      model,
      tools,
      instructions: 'Book a slot.',
      message: 'Please book a slot.',
    }).catch((error: Error) => {
      if (error.name !== 'GraphRecursionError') throw error;
    });
    const ending = model.finished ? 'final_message' : 'loop_guard';
    await session.close({ endStatePasses: world.passes(), ending });
  });
}

/** A model that answers as a reference agent decides, by the results that the framework sends it. */
function modelOf(agent: ReferenceAgentName, session: FaultSession, world: ReturnType<typeof calendarTask.open>) {
  const turns = referenceAgents[agent](world);
  let asked = 0;
  return {
    name: 'scripted-1',
    finished: false,
    async next(results: readonly Result[]) {
      session.sawModelRequest(results);
      const last = results.at(-1);
      let turn = last === undefined ? turns.next() : turns.next(outcomeOf(last));
      while (turn.done !== true && 'waitSeconds' in turn.value) {
        session.clock.advance(turn.value.waitSeconds * 1_000);
        turn = turns.next({ ok: true, result: null });
      }
      asked += 1;
      const usage = { input: 100, output: 10, cachedInput: 0, reasoning: 0 };
      const base = { id: `r${asked}`, text: '', reasoning: '', usage };
      if (turn.done === true) this.finished = true;
      if (turn.done === true) return { ...base, calls: [], text: turn.value, finish: 'stop' };
      const call = turn.value as { tool: string; arguments: object };
      return {
        ...base,
        calls: [{ id: `c${asked}`, name: call.tool, arguments: call.arguments }],
        finish: 'tool_calls',
      };
    },
  };
}

function outcomeOf({ text, failed }: Result): CallOutcome {
  const wait = /retry after (\d+) s/.exec(text)?.[1];
  if (failed) return { ok: false, retryAfterSeconds: wait === undefined ? null : Number(wait) };
  try {
    return { ok: true, result: JSON.parse(text) };
  } catch {
    return { ok: true, result: text };
  }
}

const effects = {
  find_slots: 'read',
  create_event: 'write',
  invite_people: 'write',
  list_events: 'read',
  get_event: 'read',
};

// By default each row meets one of the six agents, in turn; OTEL_EVAL_ALL_CAPTURES=1 lets it meet them all.
const all = process.env['OTEL_EVAL_ALL_CAPTURES'] === '1';
const agentsOf = (at: number): readonly ReferenceAgentName[] =>
  all ? referenceAgentNames : referenceAgentNames.slice(at % 6, (at % 6) + 1);
const plan = parseFaultPlan([...calendarRows('above_client', 'single'), ...calendarRows('below_client', 'single')]);

interface Ran {
  /** `LangGraph, verifier: timeout on create_event, above_client`. */
  readonly name: string;
  readonly traces: readonly CollectedTrace[];
  readonly facts: Facts;
  /** What the same agent comes to without a framework. */
  readonly plain: string;
}

type Facts = ReturnType<typeof recoveryClassified.evaluate>['facts'];
let parameters: Parameters<typeof recoveryClassified.evaluate>[1];
const ran: Ran[] = [];

const rowName = ({ fault, tool, point }: PlanRow): string => `${fault.kind} on ${tool}, ${point}`;
const word = (facts: Facts): string => {
  const reasons = facts?.['reasons'] as readonly string[];
  return `${facts?.['label'] ?? facts?.['status']}${reasons.length === 0 ? '' : `: ${reasons[0]}`}`;
};

beforeAll(async () => {
  const policy = referenceAgents.verifier;
  const { view } = await record(() => runReference({ task: calendarTask, policy, plan, row: undefined }));
  const control = controlRunOf(view).calls;
  parameters = recoveryClassified.parameters.parse({ control, effects, budget: 'unlimited' });
  for (const [at, row] of plan.rows.entries()) {
    for (const agent of agentsOf(at)) {
      const given = { task: calendarTask, policy: referenceAgents[agent], plan, row, stepLimit };
      const reference = await record(() => runReference(given));
      const plain = word(recoveryClassified.evaluate(reference.view, parameters).facts);
      for (const framework of Object.keys(frameworks) as Framework[]) {
        const found = (await runFramework(framework, agent, row)).view;
        const { facts } = recoveryClassified.evaluate(found, parameters);
        ran.push({ name: `${framework}, ${agent}: ${rowName(row)}`, traces: found.traces, facts, plain });
      }
    }
  }
});

const labelsOf = (facts: (one: Ran) => Facts) => ran.map((one) => [one.name, word(facts(one))]);
const told = (one: Ran, traces: readonly CollectedTrace[], kind: 'otlp' | 'jaeger'): Facts => {
  const ids = one.traces.map(({ trace }) => trace.traceId);
  const own = traces.filter(({ trace }) => ids.includes(trace.traceId));
  const source = { kind, acceptsSettled: true, beforeDeadline: false } as const;
  return recoveryClassified.evaluate({ ...viewOfTraces(own), source }, parameters).facts;
};
const send = async (url: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  for (const { traces } of ran) {
    const body = encodeOtlpJson(traces.flatMap(({ trace }) => trace.spans));
    expect((await fetch(`${url}/v1/traces`, { method: 'POST', body, headers })).status).toBe(200);
  }
};
const collected = async (collector: Collector): Promise<CollectedTrace[]> => {
  const traces: CollectedTrace[] = [];
  for await (const group of (await collector.collect()).groups()) traces.push(...group);
  await collector.close();
  return traces;
};

describe('a whole plan under two frameworks: every kind of fault, at both points', () => {
  test('every kind and both points are in it', () => {
    expect(new Set(plan.rows.map(({ fault }) => fault.kind)).size).toBe(faults.length);
    expect(ran.length).toBe(2 * 2 * calendarCases.length * (all ? 6 : 1));
  });

  test('each row has the label that the same agent has without a framework, and was injected', () => {
    expect(labelsOf(({ facts }) => facts)).toEqual(ran.map((one) => [one.name, one.plain]));
    expect(new Set(ran.map(({ facts }) => facts?.['level']))).toEqual(new Set(['injected']));
    expect([...new Set(ran.map(({ facts }) => facts?.['label'] ?? facts?.['status']))].sort()).toEqual([
      'absorbed',
      'clean_abort',
      'failed',
      'recovered',
      'unnoticed_success',
    ]);
  });

  test('from the OTLP receiver: the same, row by row', async () => {
    const receiver = await otlpReceiverCollector({ port: 0 });
    await send(receiver.url);
    await receiver.stop();
    const traces = await collected(receiver);
    expect(ran.map((one) => [one.name, told(one, traces, 'otlp')])).toEqual(ran.map((one) => [one.name, one.facts]));
  });
});

const binary = builtJaeger();

describe.skipIf(binary === undefined)(`from a real Jaeger (${withoutJaeger} otherwise)`, () => {
  let server: RunningJaeger;
  beforeAll(async () => {
    server = await RunningJaeger.start(binary ?? '');
  });
  afterAll(async () => server.stop());

  test('the same, row by row', async () => {
    await send(server.otlpUrl);
    const traceIds = ran.flatMap(({ traces }) => traces.map(({ trace }) => trace.traceId));
    const remote = { url: server.queryUrl, traceIds, settleMs: 1_000, deadlineMs: 300_000 };
    const traces = await collected(jaegerCollector(remote));
    expect(ran.map((one) => [one.name, told(one, traces, 'jaeger')])).toEqual(ran.map((one) => [one.name, one.facts]));
  });
});
