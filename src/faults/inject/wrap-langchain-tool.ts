import type { FaultSession } from './fault-session.ts';

interface LangChainTool {
  readonly name: string;
}

type Callable = (...all: unknown[]) => unknown;

/** `func` of a tool made with `tool()`, `_call` of a class. */
const bodies = ['func', '_call'] as const;

/**
 * Wraps a tool of LangChain (`tool()`, `DynamicStructuredTool`, a subclass of `StructuredTool`) above the client; the tool
 * itself is not changed. The id of the request comes from the run's config.
 */
export function wrapLangChainTool<Tool extends LangChainTool>(session: FaultSession, tool: Tool): Tool {
  const body = bodies.find((key) => typeof (tool as Record<string, unknown>)[key] === 'function');
  if (body === undefined) return tool;
  const faulted: Callable = (args, ...rest) =>
    session.call({
      tool: tool.name,
      arguments: args,
      ...requestIn(rest),
      run: (given) => ((tool as Record<string, unknown>)[body] as Callable).call(tool, given, ...rest),
    });
  return new Proxy(tool, {
    get: (target, key, receiver) => (key === body ? faulted : Reflect.get(target, key, receiver)),
  });
}

function requestIn(rest: readonly unknown[]): { readonly callId?: string; readonly signal?: AbortSignal } {
  for (const each of rest) {
    if (typeof each !== 'object' || each === null) continue;
    const { toolCall, signal } = each as { readonly toolCall?: { readonly id?: unknown }; readonly signal?: unknown };
    const id = toolCall?.id;
    if (typeof id !== 'string' && !(signal instanceof AbortSignal)) continue;
    return {
      ...(typeof id === 'string' ? { callId: id } : {}),
      ...(signal instanceof AbortSignal ? { signal } : {}),
    };
  }
  return {};
}
