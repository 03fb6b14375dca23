import { resolve } from 'node:path';
import { OpenTelemetry } from '@ai-sdk/otel';
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { registerTelemetry } from 'ai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recoveryClassified } from '../../assertions/recovery-classified.ts';
import { jaegerCollector } from '../../collectors/jaeger.ts';
import { FaultSession } from '../../src/faults/inject/fault-session.ts';
import { faultedFetch } from '../../src/faults/inject/faulted-fetch.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';
import { calendarTask } from '../../src/faults/reference/calendar-task.ts';
import {
  type CallOutcome,
  type ReferenceAgentName,
  referenceAgents,
} from '../../src/faults/reference/reference-agents.ts';
import { retryingClient, toolServer } from '../../src/faults/reference/retrying-client.ts';
import { encodeOtlpJson } from '../../src/trace/encode-otlp-json.ts';
import type { CollectedTrace } from '../../src/trace/trace-set.ts';
import { builtJaeger, withoutJaeger } from '../servers/built-jaeger.ts';
import { RunningJaeger } from '../servers/running-jaeger.ts';
import { viewOf } from '../view-builder.ts';
import { record, setUpTracing, viewOfTraces } from './recorder.ts';

// Other work may have the cores.
vi.setConfig({ testTimeout: 120_000 });

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

async function runFramework(framework: Framework, agent: ReferenceAgentName, row: object) {
  const plan = parseFaultPlan([{ task: calendarTask.name, ...row }]);
  const world = calendarTask.open();
  return record(async () => {
    const session = new FaultSession({ plan, row: plan.rows[0]!, ledger: world.ledger, tools: world.specs });
    const client = retryingClient(Object.keys(world.tools), faultedFetch(toolServer(world.tools)));
    const wrapped = wrapTools(session, session.row.point === 'below_client' ? client : world.tools);
    const tools = Object.fromEntries(
      Object.entries(wrapped).map(([name, run]) => [
        name,
        { description: name, parameters: { type: 'object', properties: {}, additionalProperties: true }, run },
      ]),
    );
    const { runAgent } = await import(`${captures}/${frameworks[framework]}/agent.mjs`);
    await runAgent({
      model: modelOf(agent, session, world),
      tools,
      instructions: 'Book a slot.',
      message: 'Please book a slot.',
    });
    await session.close({ endStatePasses: world.passes() });
  });
}

/** A model that answers as a reference agent decides, by the results that the framework sends it. */
function modelOf(agent: ReferenceAgentName, session: FaultSession, world: ReturnType<typeof calendarTask.open>) {
  const turns = referenceAgents[agent](world);
  let asked = 0;
  return {
    name: 'scripted-1',
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
  if (failed) return { ok: false, retryAfterSeconds: null };
  try {
    return { ok: true, result: JSON.parse(text) };
  } catch {
    return { ok: true, result: text };
  }
}

const control = ['find_slots', 'create_event', 'invite_people', 'list_events'].map((tool) => ({ tool }));
const effects = {
  find_slots: 'read',
  create_event: 'write',
  invite_people: 'write',
  list_events: 'read',
  get_event: 'read',
};
const parameters = recoveryClassified.parameters.parse({ control, effects, budget: 'unlimited' });

describe.each(Object.keys(frameworks) as Framework[])('%s', (framework) => {
  test.each<[ReferenceAgentName, object, string]>([
    ['verifier', { tool: 'create_event', fault: 'timeout_but_applied' }, 'recovered'],
    ['blind retrier', { tool: 'create_event', fault: 'timeout_but_applied' }, 'failed'],
    ['ignorer', { tool: 'find_slots', fault: 'empty' }, 'unnoticed_success'],
    ['specific aborter', { tool: 'create_event', fault: 'http_503' }, 'clean_abort'],
    ['verifier', { tool: 'create_event', fault: 'http_503', point: 'below_client' }, 'absorbed'],
    ['ignorer', { tool: 'find_slots', fault: 'empty', point: 'below_client' }, 'unnoticed_success'],
  ])('%s under %j: %s', async (agent, row, word) => {
    const { view } = await runFramework(framework, agent, row);
    const told = recoveryClassified.evaluate(view, parameters);
    expect(
      [told.facts?.['label'] ?? told.facts?.['status'], told.facts?.['level']],
      JSON.stringify(told.missing),
    ).toEqual([word, 'injected']);
    // The same run, written as OTLP/JSON and read again.
    const again = recoveryClassified.evaluate(
      viewOf(encodeOtlpJson(view.traces.flatMap(({ trace }) => trace.spans)), { runs: { oneRun: true } }),
      parameters,
    );
    expect(again.facts).toEqual(told.facts);
  });
});

const binary = builtJaeger();

describe.skipIf(binary === undefined)(`from a real Jaeger (${withoutJaeger} otherwise)`, () => {
  let server: RunningJaeger;
  beforeAll(async () => {
    server = await RunningJaeger.start(binary ?? '');
  }, 60_000);
  afterAll(async () => server.stop());

  test.each<[Framework, ReferenceAgentName, object]>([
    ['Vercel AI SDK', 'blind retrier', { tool: 'create_event', fault: 'timeout_but_applied' }],
    ['LangGraph', 'verifier', { tool: 'create_event', fault: 'http_503', point: 'below_client' }],
  ])('%s, %s: the same label as from memory', async (framework, agent, row) => {
    const { view } = await runFramework(framework, agent, row);
    const body = encodeOtlpJson(view.traces.flatMap(({ trace }) => trace.spans));
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${server.otlpUrl}/v1/traces`, { method: 'POST', body, headers })).status).toBe(200);
    const traceIds = view.traces.map(({ trace }) => trace.traceId);
    const remote = { url: server.queryUrl, traceIds, settleMs: 1_000, deadlineMs: 30_000 };
    const traces: CollectedTrace[] = [];
    const collector = jaegerCollector(remote);
    for await (const group of (await collector.collect()).groups()) traces.push(...group);
    await collector.close();
    const stored = viewOfTraces(traces);
    const source = { kind: 'jaeger', acceptsSettled: true, beforeDeadline: false } as const;
    const told = recoveryClassified.evaluate({ ...stored, source }, parameters);
    expect(told.facts).toEqual(recoveryClassified.evaluate(view, parameters).facts);
  });
});
