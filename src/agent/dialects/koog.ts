import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { content, firstOf, nameAfter, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

function kind({ name, attributes }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  if (name === 'llm.chat') return 'model';
  if (name.startsWith('tool.')) return 'tool';
  if (name.startsWith('agent.') || name.startsWith('run.')) return 'agent';
  return name.startsWith('node.') ? 'other' : undefined;
}

export const koog: Dialect = {
  name: 'koog',
  scopes: /^ai\.koog/,
  kind,
  facts: {
    ...semconvFacts,
    agent: firstOf(text('gen_ai.agent.name', 'gen_ai.agent.id'), nameAfter('agent.', 'run.')),
    toolName: firstOf(text('gen_ai.tool.name'), nameAfter('tool.')),
    arguments: content('gen_ai.tool.call.arguments', 'input.value'),
    result: content('gen_ai.tool.call.result', 'output.value'),
  },
  sights: [{ of: 'Koog', shows: sights('partly', { failureMarks: 'partly' }) }],
};
