import { agentRun } from '../../instrument/agent-run.ts';
import { modelCall } from '../../instrument/model-call.ts';
import { toolCall } from '../../instrument/tool-call.ts';
import { FaultSession } from '../inject/fault-session.ts';
import { faultedFetch } from '../inject/faulted-fetch.ts';
import { recordEffects } from '../inject/record-effects.ts';
import { wrapTools } from '../inject/wrap-tools.ts';
import type { EffectLedger } from '../ledger/effect-ledger.ts';
import type { FaultPlan, PlanRow } from '../plan/fault-plan.ts';
import type { CallOutcome, ReferencePolicy, Turn } from './reference-agents.ts';
import type { PlannedCall, ReferenceTask, ReferenceWorld } from './reference-task.ts';
import { retryingClient, toolServer } from './retrying-client.ts';

export interface ReferenceRun {
  readonly task: ReferenceTask;
  readonly policy: ReferencePolicy;
  readonly plan: Pick<FaultPlan, 'hash'>;
  /** Absent: a control run, without a fault. */
  readonly row: PlanRow | undefined;
  /** Steps after which the loop guard ends the run. */
  readonly stepLimit?: number | undefined;
}

/** What a run came to, by the sandbox's own account. */
export interface ReferenceOutcome {
  readonly calls: readonly PlannedCall[];
  readonly ledger: EffectLedger;
  readonly passes: boolean;
  readonly ending: 'final_message' | 'loop_guard';
  readonly finalMessage: string | null;
}

const defaultStepLimit = 50;

/** Runs a reference agent through its task, with spans as a real agent makes them; resolves with what came of it. */
export async function runReference({
  task,
  policy,
  plan,
  row,
  stepLimit = defaultStepLimit,
}: ReferenceRun): Promise<ReferenceOutcome> {
  const world = task.open();
  return agentRun({ name: 'reference', instrumented: 'all', input: task.name }, async () => {
    const session =
      row === undefined ? undefined : new FaultSession({ plan, row, ledger: world.ledger, tools: world.specs });
    const loop = new Loop(world, session);
    const ending = await loop.run(policy(world), stepLimit);
    const end = { endStatePasses: world.passes(), ending };
    await (session === undefined ? recordEffects(world.ledger, end) : session.close(end));
    const { calls, finalMessage } = loop;
    return { calls, ledger: world.ledger, passes: world.passes(), ending, finalMessage };
  });
}

type AnyTool = (args: unknown, options: unknown) => unknown;

/** A model in a loop: asks, calls, reads the answer, until it gives a final message or the guard stops it. */
class Loop {
  readonly calls: PlannedCall[] = [];
  finalMessage: string | null = null;
  #waitSeconds = 0;
  readonly #world: ReferenceWorld;
  readonly #session: FaultSession | undefined;
  readonly #tools: Readonly<Record<string, AnyTool>>;
  readonly #messages: object[] = [{ role: 'user', parts: [{ type: 'text', content: 'Please book a slot.' }] }];

  constructor(world: ReferenceWorld, session: FaultSession | undefined) {
    this.#world = world;
    this.#session = session;
    this.#tools = toolsOf(world, session) as Readonly<Record<string, AnyTool>>;
  }

  async run(turns: Generator<Turn, string, CallOutcome>, stepLimit: number): Promise<'final_message' | 'loop_guard'> {
    let next = turns.next();
    while (next.done !== true) {
      if (this.calls.length >= stepLimit) return 'loop_guard';
      next = turns.next(await this.#turn(next.value));
    }
    this.finalMessage = next.value;
    await this.#ask({ type: 'text', content: next.value }, 'stop');
    return 'final_message';
  }

  async #turn(turn: Turn): Promise<CallOutcome> {
    if ('waitSeconds' in turn) {
      this.#waitSeconds = turn.waitSeconds;
      return { ok: true, result: null };
    }
    this.calls.push(turn);
    const id = `call-${this.calls.length}`;
    await this.#ask({ type: 'tool_call', id, name: turn.tool, arguments: turn.arguments }, 'tool_calls');
    // It waits once it knows: the model has read the answer that asks for it.
    this.#session?.clock.advance(this.#waitSeconds * 1_000);
    this.#waitSeconds = 0;
    const [outcome, response] = await this.#call(turn, id);
    this.#messages.push({ role: 'tool', parts: [{ type: 'tool_call_response', id, response }] });
    return outcome;
  }

  async #call(turn: PlannedCall, callId: string): Promise<[CallOutcome, unknown]> {
    const { effect } = this.#world.specs[turn.tool] ?? {};
    const options = { name: turn.tool, callId, arguments: turn.arguments, ...(effect === undefined ? {} : { effect }) };
    try {
      const result = await toolCall(options, async () => this.#tools[turn.tool]?.(turn.arguments, { callId }));
      return [{ ok: true, result }, result];
    } catch (error) {
      const { retryAfterSeconds = null, message } = error as { retryAfterSeconds?: number | null; message: string };
      return [{ ok: false, retryAfterSeconds }, { error: message }];
    }
  }

  async #ask(part: object, finish: string): Promise<void> {
    const input = [...this.#messages];
    const output = { role: 'assistant', parts: [part] };
    await modelCall({ model: 'reference-1', provider: 'scripted', input }, async (response) => {
      this.#session?.sawModelRequest(input);
      response({ finishReasons: [finish], usage: { input: 10, output: 1 }, output: [output] });
    });
    this.#messages.push(output);
  }
}

/** Below the client the tools go over a wire with a client that tries again; above it they are called as they are. */
function toolsOf({ tools }: ReferenceWorld, session: FaultSession | undefined): ReferenceWorld['tools'] {
  if (session === undefined) return tools;
  if (session.row.point === 'above_client') return wrapTools(session, tools);
  const client = retryingClient(Object.keys(tools), faultedFetch(toolServer(tools)));
  return wrapTools(session, client);
}
