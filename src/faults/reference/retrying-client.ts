import type { PlainTool } from '../inject/wrap-tools.ts';

type Fetch = typeof globalThis.fetch;

const retries = 2;

/** Tools as a production client has them: each is a request, and failures of the wire are tried again. */
export function retryingClient(names: readonly string[], send: Fetch): Readonly<Record<string, PlainTool>> {
  return Object.fromEntries(names.map((name) => [name, (args: unknown) => post(name, args, send)]));
}

/** The server behind it: the tools of a world, without a network. */
export function toolServer(tools: Readonly<Record<string, PlainTool>>): Fetch {
  return async (input) => {
    const request = input as Request;
    const tool = tools[new URL(request.url).pathname.slice(1)] as ((args: unknown) => unknown) | undefined;
    if (tool === undefined) return Response.json({ error: 'no such tool' }, { status: 404 });
    return Response.json(await tool(await request.json()));
  };
}

async function post(name: string, args: unknown, send: Fetch): Promise<unknown> {
  for (let tries = 0; ; tries += 1) {
    const response = await attempt(name, args, send).catch((error: unknown) => error);
    if (response instanceof Response && response.ok) return response.json();
    if (tries < retries) continue;
    if (!(response instanceof Response)) throw response;
    throw new Error(`${name}: ${response.status}`);
  }
}

async function attempt(name: string, args: unknown, send: Fetch): Promise<Response> {
  return send(new Request(`http://tools.test/${name}`, { method: 'POST', body: JSON.stringify(args) }));
}
