import { type Context, context, createContextKey, propagation } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isId } from '../trace/privacy/metadata-values.ts';
import type { RunIdentity } from './segment.ts';

// The API registers keys by name, so two copies of the package in one process share it.
const runKey = createContextKey('otel-eval.run');

let ofProcess: RunIdentity | undefined | 'unread' = 'unread';

/** The run that `agentRun` set for this context. */
export function runSetIn(from: Context): RunIdentity | undefined {
  return from.getValue(runKey) as RunIdentity | undefined;
}

/**
 * The run that someone outside set: a caller by its baggage, else whoever started this process by its environment
 * (`OTEL_EVAL_RUN_ID`).
 */
export function runFromOutside(from: Context): RunIdentity | undefined {
  if (ofProcess === 'unread') ofProcess = runOfEnvironment(process.env);
  return runOfBaggage(from) ?? ofProcess;
}

/** The run of the code that is running now; `undefined` outside of any. */
export function currentRun(): RunIdentity | undefined {
  const active = context.active();
  return runSetIn(active) ?? runFromOutside(active);
}

export function withRun(run: RunIdentity, from: Context = context.active()): Context {
  return from.setValue(runKey, run);
}

/** Names of environment variables by which a parent process tells its child about the run. */
export const runEnvironment = { runId: 'OTEL_EVAL_RUN_ID', conversationId: 'OTEL_EVAL_CONVERSATION_ID' } as const;

export function runOfEnvironment(environment: Readonly<Record<string, string | undefined>>): RunIdentity | undefined {
  return identity(environment[runEnvironment.runId], environment[runEnvironment.conversationId]);
}

function runOfBaggage(from: Context): RunIdentity | undefined {
  const baggage = propagation.getBaggage(from);
  if (baggage === undefined) return undefined;
  return identity(baggage.getEntry(ownAttributes.runId)?.value, baggage.getEntry('gen_ai.conversation.id')?.value);
}

function identity(runId: string | undefined, conversationId: string | undefined): RunIdentity | undefined {
  if (runId === undefined || runId === '' || !isId(runId)) return undefined;
  return { runId, conversationId: conversationId !== undefined && isId(conversationId) ? conversationId : undefined };
}
