import type { FaultSession } from './fault-session.ts';

interface AgentsTool {
  readonly name: string;
  readonly invoke: (...all: never[]) => unknown;
}

/**
 * Wraps a function tool of the OpenAI Agents SDK above the client. The SDK turns what a tool throws into the text that
 * the model reads; a fault does the same, so that the run goes on as in production.
 */
export function wrapOpenAiAgentsTool<Tool extends AgentsTool>(session: FaultSession, tool: Tool): Tool {
  const invoke = tool.invoke as (...all: unknown[]) => unknown;
  const faulted = async (runContext: unknown, input: unknown, details: unknown): Promise<unknown> => {
    let ran = false;
    try {
      return await session.call({
        tool: tool.name,
        arguments: parsed(input),
        ...requestIn(details),
        run: (given) => {
          ran = true;
          return invoke.call(tool, runContext, typeof input === 'string' ? JSON.stringify(given) : given, details);
        },
      });
    } catch (error) {
      if (ran && session.row.point === 'below_client') throw error;
      return `An error occurred while running the tool. Please try again. Error: ${String(error)}`;
    }
  };
  return { ...tool, invoke: faulted };
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function requestIn(details: unknown): { readonly callId?: string } {
  const id = (details as { readonly toolCall?: { readonly callId?: unknown } } | undefined)?.toolCall?.callId;
  return typeof id === 'string' ? { callId: id } : {};
}
