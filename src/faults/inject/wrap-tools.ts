import type { FaultSession } from './fault-session.ts';

/** A tool as a plain function; what stands after the arguments is handed on as it is. */
export type PlainTool = (args: never, ...rest: never[]) => unknown;

/**
 * Wraps plain functions above the client. Where the second argument names the model's request (`callId`, `toolCallId`)
 * or holds a signal, these are used.
 *
 * @example
 * const tools = wrapTools(session, { lookup_order: (args) => store.get(args.order_id) });
 */
export function wrapTools<Tools extends Readonly<Record<string, PlainTool>>>(
  session: FaultSession,
  tools: Tools,
): Tools {
  const wrapped = Object.entries(tools).map(([tool, run]) => [
    tool,
    (args: unknown, ...rest: readonly unknown[]) =>
      session.call({
        tool,
        arguments: args,
        ...optionsIn(rest[0]),
        run: (given) => (run as (...all: unknown[]) => unknown)(given, ...rest),
      }),
  ]);
  return Object.fromEntries(wrapped) as Tools;
}

/** Call id and signal as frameworks name them. */
export function optionsIn(options: unknown): { readonly callId?: string; readonly signal?: AbortSignal } {
  if (typeof options !== 'object' || options === null) return {};
  const { callId, toolCallId, signal, abortSignal } = options as Record<string, unknown>;
  const id = callId ?? toolCallId;
  const abort = signal ?? abortSignal;
  return {
    ...(typeof id === 'string' ? { callId: id } : {}),
    ...(abort instanceof AbortSignal ? { signal: abort } : {}),
  };
}
