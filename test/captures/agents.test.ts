import { describe, expect, test } from 'vitest';
import type { ModelReply, RunAgentOptions, ToolAnswer } from '../../fixtures/captures/run-agent.d.mts';

// The agents run with any tools and model: here tools that fail once, and a model that tries again when it is told so.

const usage = { input: 10, cachedInput: 0, output: 5, reasoning: 0 };

function stubborn(seen: ToolAnswer[][]): RunAgentOptions['model'] {
  return {
    name: 'stubborn-1',
    next(results): ModelReply {
      seen.push([...results]);
      const last = results.at(-1);
      const isDone = last?.text.includes('delivered') === true;
      const id = `resp_${seen.length}`;
      if (isDone) return { id, calls: [], text: 'It was delivered.', usage, finish: 'stop' };
      const call = { id: `call_${seen.length}`, name: 'lookup_order', arguments: { order_id: 'ORD-1' } };
      return { id, calls: [call], text: '', usage, finish: 'tool_calls' };
    },
  };
}

describe.each([
  ['ai-sdk', () => import('../../fixtures/captures/ai-sdk/agent.mjs'), true],
  ['langgraph', () => import('../../fixtures/captures/langgraph/agent.mjs'), true],
  ['openai-agents', () => import('../../fixtures/captures/openai-agents/agent.mjs'), undefined],
] as const)('%s', (_name, load, failed) => {
  test('hands tools their arguments and the model their answers, failures too', async () => {
    const { runAgent } = await load();
    const given: unknown[] = [];
    const seen: ToolAnswer[][] = [];
    const parameters = {
      type: 'object',
      properties: { order_id: { type: 'string' } },
      required: ['order_id'],
      additionalProperties: false,
    };
    const run = (input: unknown): unknown => {
      given.push(input);
      if (given.length === 1) throw new Error('out of order');
      return { status: 'delivered' };
    };
    const answer = await runAgent({
      model: stubborn(seen),
      tools: { lookup_order: { description: 'Reads an order.', parameters, run } },
      instructions: 'Help.',
      message: 'Where is ORD-1?',
    });
    expect(answer).toBe('It was delivered.');
    expect(given).toEqual([{ order_id: 'ORD-1' }, { order_id: 'ORD-1' }]);
    expect(seen.map((results) => results.map(({ callId }) => callId))).toEqual([[], ['call_1'], ['call_1', 'call_2']]);
    expect(seen.at(-1)?.map((result) => result.failed === true)).toEqual([failed === true, false]);
    expect(seen.at(-1)?.at(-1)?.text).toContain('delivered');
  });
});
