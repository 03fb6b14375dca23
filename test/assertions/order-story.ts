import type { SpanSketch } from '../view-builder.ts';

// A run of an order-support agent whose instrumentation shows every fact: our own helpers, that say so.
const scope = 'otel-eval';

function message(role: string, ...parts: object[]): object {
  return { role, parts };
}

const text = (content: string) => ({ type: 'text', content });
const asks = (id: string, name: string, args: object) => ({ type: 'tool_call', id, name, arguments: args });
const answers = (id: string, response: unknown) => ({ type: 'tool_call_response', id, response });

const lookup = { order_id: 'ORD-1001' };
const refund = { order_id: 'ORD-1001', amount: 40 };
const question = message('user', text('Please refund ORD-1001.'));
const history = [
  question,
  message('assistant', asks('c1', 'lookup_order', lookup)),
  message('tool', answers('c1', { paid: true })),
  message('assistant', asks('c2', 'issue_refund', refund)),
  message('tool', answers('c2', { refunded: 40 })),
];

function chat(id: string, start: number, turn: number, output: object): SpanSketch {
  return {
    id,
    parent: '1',
    name: 'chat scripted-1',
    kind: 'client',
    scope,
    start,
    end: start + 90,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted-1',
      'gen_ai.agent.name': 'order-support',
      'gen_ai.response.id': `r${turn}`,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.input.messages': JSON.stringify(history.slice(0, turn * 2 - 1)),
      'gen_ai.output.messages': JSON.stringify([output]),
    },
  };
}

export function toolSpan(
  id: string,
  start: number,
  call: { id: string; name: string; arguments?: object; result?: unknown },
): SpanSketch {
  return {
    id,
    parent: '1',
    name: `execute_tool ${call.name}`,
    scope,
    start,
    end: start + 40,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      ...(call.arguments === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(call.arguments) }),
      ...(call.result === undefined ? {} : { 'gen_ai.tool.call.result': JSON.stringify(call.result) }),
    },
  };
}

/** Spans 1 (agent), 7 (retrieval), 2, 4, 6 (model), 3 (lookup_order) and 5 (issue_refund); everything went well. */
export function orderStory(): SpanSketch[] {
  return [
    {
      id: '1',
      name: 'invoke_agent order-support',
      scope,
      start: 0,
      end: 500,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'order-support',
        'otel_eval.instrumented': 'all',
      },
    },
    {
      id: '7',
      parent: '1',
      name: 'retrieval policies',
      scope,
      start: 2,
      end: 8,
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.retrieval.documents': JSON.stringify([{ id: 'policy-7' }, { id: 'policy-9' }]),
      },
    },
    chat('2', 10, 1, message('assistant', asks('c1', 'lookup_order', lookup))),
    toolSpan('3', 110, { id: 'c1', name: 'lookup_order', arguments: lookup, result: { paid: true } }),
    chat('4', 160, 2, message('assistant', asks('c2', 'issue_refund', refund))),
    toolSpan('5', 260, { id: 'c2', name: 'issue_refund', arguments: refund, result: { refunded: 40 } }),
    chat('6', 310, 3, message('assistant', text('Your 40 euros are on their way [source:policy-7].'))),
  ];
}

/** The story with changes to one span. */
export function changed(id: string, change: (span: SpanSketch) => void): SpanSketch[] {
  const spans = orderStory();
  const span = spans.find((one) => one.id === id);
  if (span === undefined) throw new Error(`no span ${id} in the story`);
  change(span);
  return spans;
}

/** Sets or, with `undefined`, removes attributes of a span. */
export function setAttributes(span: SpanSketch, attributes: Record<string, unknown>): void {
  const kept = Object.entries({ ...span.attributes, ...attributes }).filter(([, value]) => value !== undefined);
  span.attributes = Object.fromEntries(kept);
}

/** The story without some spans. */
export function without(...ids: string[]): SpanSketch[] {
  return orderStory().filter(({ id }) => !ids.includes(id));
}

/** The story with further spans. */
export function withMore(...more: SpanSketch[]): SpanSketch[] {
  return [...orderStory(), ...more];
}
