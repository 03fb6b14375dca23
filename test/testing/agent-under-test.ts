import { SpanStatusCode, type Tracer } from '@opentelemetry/api';

export interface ScriptedCall {
  readonly tool: string;
  readonly fails?: boolean;
  readonly args?: object | undefined;
  /** `false`: the span does not hold the result. */
  readonly result?: boolean;
}

/** An agent that makes these tool calls, one after the other, with a span for each. */
export async function runScripted(tracer: Tracer, calls: readonly ScriptedCall[]): Promise<number> {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'support' };
  return tracer.startActiveSpan('invoke_agent support', { attributes }, async (root) => {
    for (const { tool, fails = false, args, result = true } of calls) {
      const span = tracer.startSpan(`execute_tool ${tool}`, {
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          ...(args === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(args) }),
          ...(fails ? { 'error.type': 'timeout' } : result ? { 'gen_ai.tool.call.result': '{"ok":true}' } : {}),
        },
      });
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (fails) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      // Start times are whole milliseconds: the next span is to start in a later one.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    root.end();
    return calls.length;
  });
}
