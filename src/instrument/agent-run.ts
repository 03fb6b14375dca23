import { randomUUID } from 'node:crypto';
import { context, SpanKind } from '@opentelemetry/api';
import { ownAttributes } from '../trace/own-attributes.ts';
import { isId } from '../trace/privacy/metadata-values.ts';
import { isContentRead, putBeside } from './content-beside.ts';
import { messagesText, present } from './content-text.ts';
import { inSpan } from './in-span.ts';
import { runFromOutside, runSetIn, withRun } from './run-context.ts';
import { withRunSpanPlace } from './run-span.ts';
import type { RunIdentity } from './segment.ts';

export interface AgentRunOptions {
  /** Name of the agent. */
  readonly name: string;
  /**
   * Default: the run that is going on here, else a new random one. Ids leave in any mode: at most 256 characters of
   * letters, digits and `_.:/+=~|#<>-`; anything else is taken as not given.
   */
  readonly runId?: string;
  readonly conversationId?: string;
  /**
   * `all`: every model call and every tool call of this agent is made inside `modelCall` and `toolCall`. Without it
   * nobody can know that a call which is not in the trace was not made.
   */
  readonly instrumented?: 'all';
  /** The user's message, or messages as the GenAI conventions have them. Recorded in content mode only. */
  readonly input?: unknown;
}

/**
 * Runs an agent: every span started inside belongs to its run. Give what the agent answered as the function's result;
 * a promise or an async iterable is handed back as it is.
 *
 * @example
 * const answer = await agentRun({ name: 'order-support', instrumented: 'all' }, async ({ runId }) => loop(message));
 */
export function agentRun<Result>(options: AgentRunOptions, run: (identity: RunIdentity) => Result): Result {
  const active = context.active();
  const outer = runSetIn(active) ?? runFromOutside(active);
  const identity: RunIdentity = {
    runId: idOrNone(options.runId) ?? outer?.runId ?? randomUUID(),
    conversationId: idOrNone(options.conversationId) ?? outer?.conversationId,
  };
  const [parent, place] = withRunSpanPlace(withRun(identity, active), identity.runId === outer?.runId);
  const attributes = present({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': options.name,
    'gen_ai.conversation.id': identity.conversationId,
    [ownAttributes.instrumented]: options.instrumented,
  });
  const start = {
    name: `invoke_agent ${options.name}`,
    kind: SpanKind.INTERNAL,
    attributes,
    parent,
  };
  return inSpan(
    start,
    (span) => {
      place.span ??= span;
      if (isContentRead()) putBeside(span, present({ 'gen_ai.input.messages': messagesText(options.input, 'user') }));
      return run(identity);
    },
    (span, result) => {
      if (isContentRead() && typeof result === 'string') {
        putBeside(span, present({ 'gen_ai.output.messages': messagesText(result, 'assistant') }));
      }
    },
  );
}

/** Ids leave in any mode, so what is no opaque identifier (a name, an address) is none. */
function idOrNone(id: string | undefined): string | undefined {
  return id !== undefined && id !== '' && isId(id) ? id : undefined;
}
