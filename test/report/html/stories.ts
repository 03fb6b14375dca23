import { writeFileSync } from 'node:fs';
import { otlpOf, type SpanSketch } from '../../view-builder.ts';

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' };
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'toy', 'gen_ai.usage.input_tokens': 12 };
const tool = (name: string): Record<string, unknown> => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.result': '{"status":"done"}',
});

/** One agent, a model call, a refund. */
export function smallRun(refund: Partial<SpanSketch> = {}): SpanSketch[] {
  return [
    { id: '1', name: 'invoke_agent helper', end: 900, attributes: agent },
    { id: '2', parent: '1', name: 'chat toy', start: 10, end: 300, attributes: chat },
    {
      id: '3',
      parent: '1',
      name: 'execute_tool issue_refund',
      start: 310,
      end: 620,
      attributes: tool('issue_refund'),
      ...refund,
    },
    { id: '4', parent: '1', name: 'chat toy', start: 630, end: 890, attributes: chat },
  ];
}

/** Of the n-th span of a long run, from 2. */
export const longId = (at: number): string => `e${at.toString(16).padStart(4, '0')}`;

/** An agent with many calls, of which one, far down, failed. */
export function longRun(spans: number, guilty: number): SpanSketch[] {
  const calls = Array.from({ length: spans - 1 }, (_, i): SpanSketch => {
    const at = i + 2;
    const isTool = at % 2 === 0;
    return {
      id: longId(at),
      parent: at % 10 === 9 ? longId(at - 1) : '1',
      name: isTool ? 'execute_tool lookup' : 'chat toy',
      start: at * 10,
      end: at * 10 + 8,
      status: at === guilty ? 'error' : 'unset',
      attributes: isTool ? tool('lookup') : chat,
    };
  });
  return [{ id: '1', name: 'invoke_agent helper', end: spans * 10 + 20, attributes: agent }, ...calls];
}

export function writeTraces(path: string, sketches: readonly SpanSketch[]): void {
  writeFileSync(path, otlpOf(sketches));
}
