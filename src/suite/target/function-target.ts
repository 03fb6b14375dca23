import { displayName } from '../../trace/display-name.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { StepCall, Target, TargetSession, TrialTicket } from './target.ts';
import { withTraceContext } from './with-trace-context.ts';

/** An agent as a plain function: input in, reply out. */
export type AgentFunction = (input: unknown, call: StepCall) => unknown;

/** Makes a fresh agent for one trial. */
export type AgentFactory = (
  ticket: TrialTicket,
) => AgentFunction | TargetSession | Promise<AgentFunction | TargetSession>;

/**
 * A target in this process. The factory is called once per trial, and each step runs under the trial's trace context, so
 * spans made with OpenTelemetry join it by themselves.
 *
 * @example
 * functionTarget(() => { const agent = createAgent(); return (input) => agent.ask(input); });
 */
export function functionTarget(create: AgentFactory, label = 'function'): Target {
  return {
    kind: 'function',
    label,
    async open(ticket) {
      const parent = ticket.env['TRACEPARENT'] ?? '';
      const made = await told(() => withTraceContext(parent, async () => create(ticket)), 'the factory of the target');
      const session = typeof made === 'function' ? plainSession(made) : made;
      if (typeof session?.step !== 'function') {
        throw new OtelEvalError(
          'OTEL_EVAL_TARGET',
          'expected the target to be a function or to have a step(), got neither',
        );
      }
      return guarded(session);
    },
  };
}

function plainSession(agent: AgentFunction): TargetSession {
  return { step: async (call) => agent(call.input, call) };
}

function guarded(session: TargetSession): TargetSession {
  return {
    step: (call) => told(() => withTraceContext(call.traceparent, () => session.step(call)), 'the target'),
    drain: (signal) => told(async () => session.drain?.(signal), 'drain() of the target'),
    close: () => told(async () => session.close?.(), 'close() of the target'),
  };
}

/** The class of what was thrown is named, its text is not: it may quote the conversation. */
async function told<Result>(work: () => Result | Promise<Result>, who: string): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (OtelEvalError.is(cause)) throw cause;
    const name = cause instanceof Error ? displayName(cause.constructor.name || 'Error') : `a ${typeof cause}`;
    throw new OtelEvalError('OTEL_EVAL_TARGET', `${who} threw ${name}`, { cause });
  }
}
