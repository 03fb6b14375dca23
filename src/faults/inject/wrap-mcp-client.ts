import { FaultError } from './fault-error.ts';
import type { FaultSession } from './fault-session.ts';

interface McpClient {
  readonly callTool: (request: never, ...rest: never[]) => Promise<unknown>;
}

interface CallRequest {
  readonly name: string;
  readonly arguments?: unknown;
}

/** JSON-RPC's code of the protocol for a request that was not answered in time. */
const requestTimeout = -32001;

/**
 * Wraps `callTool` of an MCP client above it. A server's failure is a result with `isError`, as the protocol has it; a
 * timeout is an error with the protocol's code.
 */
export function wrapMcpClient<Client extends McpClient>(session: FaultSession, client: Client): Client {
  const callTool = client.callTool as unknown as (request: CallRequest, ...rest: unknown[]) => Promise<unknown>;
  const faulted = async (request: CallRequest, ...rest: readonly unknown[]): Promise<unknown> => {
    try {
      const { signal } = (rest[1] ?? {}) as { readonly signal?: AbortSignal };
      return await session.call({
        tool: request.name,
        arguments: request.arguments ?? {},
        signal,
        run: (given) => callTool.call(client, { ...request, arguments: given }, ...rest),
      });
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      if (error.name === 'TimeoutError') throw Object.assign(error, { code: requestTimeout });
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    }
  };
  return new Proxy(client, {
    get(target, key) {
      if (key === 'callTool') return faulted;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
