import type { Dialect } from '../dialect.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

/** The conventions as they stand (semconv-genai v0.1.0, core v1.37 to v1.41), whoever writes them. */
export const otelGenAi: Dialect = {
  name: 'otel-genai',
  keys: ['gen_ai.operation.name'],
  kind: ({ attributes }) => operationKind(attributes.get('gen_ai.operation.name')),
  facts: semconvFacts,
  // Anybody can write these keys: what such a scope leaves out nobody knows.
  sight: () => sights('hidden'),
};
