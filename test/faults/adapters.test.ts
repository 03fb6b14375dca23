import { describe, expect, test } from 'vitest';
import { FaultSession } from '../../src/faults/inject/fault-session.ts';
import { faultedFetch, installFaultedFetch } from '../../src/faults/inject/faulted-fetch.ts';
import { watchAiSdkModel, wrapAiSdkTools } from '../../src/faults/inject/wrap-ai-sdk-tools.ts';
import { wrapLangChainTool } from '../../src/faults/inject/wrap-langchain-tool.ts';
import { wrapMcpClient } from '../../src/faults/inject/wrap-mcp-client.ts';
import { wrapOpenAiAgentsTool } from '../../src/faults/inject/wrap-openai-agents-tool.ts';
import { wrapTools } from '../../src/faults/inject/wrap-tools.ts';
import { parseFaultPlan } from '../../src/faults/plan/fault-plan.ts';

const sessionOf = (fault: unknown, more: object = {}): FaultSession => {
  const plan = parseFaultPlan([{ task: 't', tool: 'add', fault, ...more }]);
  return new FaultSession({ plan, row: plan.rows[0]! });
};
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ value }),
    (error) => String(error),
  );

// Shapes as the frameworks have them; the frameworks themselves are not needed.

describe('above the client', () => {
  test('Vercel AI SDK: execute with its options, and a middleware that shows the prompt', async () => {
    const session = sessionOf('http_503');
    const seen: unknown[] = [];
    const execute = async (input: { a: number }, options: { toolCallId: string }) => {
      seen.push(options.toolCallId);
      return input.a + 1;
    };
    const tools = wrapAiSdkTools(session, { add: { inputSchema: {}, execute }, elsewhere: { inputSchema: {} } });
    expect(await thrown(tools.add.execute({ a: 1 }, { toolCallId: 'c1' }))).toBe(
      'ServiceUnavailableError: 503 Service Unavailable',
    );
    expect(await tools.add.execute({ a: 1 }, { toolCallId: 'c2' })).toBe(2);
    expect(seen).toEqual(['c2']);
    expect(tools.elsewhere).toEqual({ inputSchema: {} });
    const params = { prompt: [{ role: 'user' }] };
    expect(await watchAiSdkModel(session).transformParams({ params })).toBe(params);
  });

  test('LangChain: the body of a tool is faulted, the tool itself is not changed', async () => {
    class Adder {
      name = 'add';
      calls = 0;
      async func(input: { a: number }): Promise<number> {
        this.calls += 1;
        return input.a + 1;
      }
      async invoke(input: { a: number }, config?: object): Promise<number> {
        return (this.func as (...all: unknown[]) => Promise<number>)(input, undefined, config);
      }
    }
    const adder = new Adder();
    const tool = wrapLangChainTool(sessionOf('timeout'), adder);
    expect(tool).toBeInstanceOf(Adder);
    const config = { toolCall: { id: 'c1' } };
    expect(await thrown(tool.invoke({ a: 1 }, config))).toBe('TimeoutError: no answer after 30 s');
    expect(await tool.invoke({ a: 1 })).toBe(2);
    expect(await adder.invoke({ a: 2 })).toBe(3);
    expect(adder.calls).toBe(2);
  });

  test('OpenAI Agents: arguments are JSON text, and a failure is the text that the model reads', async () => {
    const seen: unknown[] = [];
    const tool = {
      type: 'function',
      name: 'add',
      invoke: async (_: unknown, input: string) => {
        seen.push(input);
        return 'done';
      },
    };
    const wrapped = wrapOpenAiAgentsTool(sessionOf('http_429', { arguments: { a: 1 } }), tool);
    const invoke = wrapped.invoke as (...all: unknown[]) => Promise<unknown>;
    expect(await invoke({}, '{"a":2}')).toBe('done');
    expect(await invoke({}, '{"a":1}', { toolCall: { callId: 'c1' } })).toBe(
      'An error occurred while running the tool. Please try again. Error: RateLimitError: 429 Too Many Requests, retry after 20 s',
    );
    expect(seen).toEqual(['{"a":2}']);
  });

  test('MCP: a failure of the server is a result with isError, a timeout the error of the protocol', async () => {
    const client = {
      secret: 7,
      async callTool({ arguments: args }: { name: string; arguments: { a: number } }): Promise<unknown> {
        return { content: [{ type: 'text', text: String(args.a + this.secret) }] };
      },
    };
    const failing = wrapMcpClient(sessionOf('http_503'), client);
    expect(await failing.callTool({ name: 'add', arguments: { a: 1 } })).toEqual({
      isError: true,
      content: [{ type: 'text', text: '503 Service Unavailable' }],
    });
    expect(await failing.callTool({ name: 'add', arguments: { a: 1 } })).toEqual({
      content: [{ type: 'text', text: '8' }],
    });
    const late = wrapMcpClient(sessionOf('timeout'), client);
    await expect(late.callTool({ name: 'add', arguments: { a: 1 } })).rejects.toMatchObject({ code: -32001 });
  });
});

describe('below the client', () => {
  const send: typeof fetch = async (input, init) => {
    const { rows } = (await new Request(input as string, init).json()) as { rows: number[] };
    return Response.json({ rows, total: rows.length });
  };
  const call = async (client: typeof fetch): Promise<Response> =>
    client('http://tools.test/add', { method: 'POST', body: JSON.stringify({ rows: [1, 2] }) });

  test('a failing response, with the header that says when to come again', async () => {
    const session = sessionOf('http_429', { point: 'below_client' });
    const { add } = wrapTools(session, { add: async () => call(faultedFetch(send)) });
    const response = (await add()) as Response;
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '20']);
    expect(((await add()) as Response).status).toBe(200);
  });

  test('a timeout is the one that fetch knows', async () => {
    const session = sessionOf('timeout', { point: 'below_client' });
    const { add } = wrapTools(session, { add: async () => call(faultedFetch(send)) });
    await expect(add()).rejects.toMatchObject({ name: 'TimeoutError', code: 23 });
  });

  test('an answer that looks good is changed on the wire; requests outside of tools are left alone', async () => {
    const session = sessionOf('empty', { point: 'below_client', mode: 'until_end' });
    const client = faultedFetch(send);
    const { add, other } = wrapTools(session, { add: async () => call(client), other: async () => call(client) });
    expect(await ((await add()) as Response).json()).toEqual({ rows: [], total: 0 });
    expect(await ((await other()) as Response).json()).toEqual({ rows: [1, 2], total: 2 });
    expect(await (await call(client)).json()).toEqual({ rows: [1, 2], total: 2 });
  });

  test('each try of the client is a try on the wire: a single fault hits the first alone', async () => {
    const session = sessionOf('http_503', { point: 'below_client' });
    const client = faultedFetch(send);
    const { add } = wrapTools(session, {
      add: async () => [(await call(client)).status, (await call(client)).status],
    });
    expect(await add()).toEqual([503, 200]);
  });

  test('the fetch of the process, and back', async () => {
    const before = globalThis.fetch;
    const session = sessionOf('http_503', { point: 'below_client' });
    const restore = installFaultedFetch();
    const { add } = wrapTools(session, { add: async () => call(globalThis.fetch) });
    try {
      expect(((await add()) as Response).status).toBe(503);
    } finally {
      restore();
    }
    expect(globalThis.fetch).toBe(before);
  });
});
