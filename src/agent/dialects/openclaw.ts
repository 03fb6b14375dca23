import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

function kind({ name, attributes }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  if (name === 'openclaw.run') return 'agent';
  // A trace of its own that repeats the usage of the run.
  if (name === 'openclaw.model.usage') return 'phantom';
  return name.startsWith('openclaw.') ? 'other' : undefined;
}

export const openclaw: Dialect = {
  name: 'openclaw',
  scopes: /^(openclaw|diagnostics-otel)/,
  names: /^openclaw\./,
  kind,
  facts: semconvFacts,
  sights: [
    {
      of: 'OpenClaw',
      shows: sights('shown', { content: 'hidden', subAgents: 'hidden', failureMarks: 'partly' }),
    },
  ],
};
