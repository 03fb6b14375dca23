import type { Dialect } from '../dialect.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

/** AutoGen's runtime: agents and tools. Its models are told of by other packages, if at all. */
export const autogen: Dialect = {
  name: 'autogen',
  scopes: /^autogen-core$/,
  kind: ({ attributes }) => operationKind(attributes.get('gen_ai.operation.name')),
  facts: semconvFacts,
  sights: [
    {
      of: 'AutoGen',
      shows: sights('shown', {
        modelCalls: 'hidden',
        failedModelCalls: 'hidden',
        usage: 'hidden',
        arguments: 'hidden',
        results: 'hidden',
        content: 'hidden',
        failureMarks: 'partly',
      }),
      note: 'models are told of by the package of their provider, if at all',
    },
  ],
};
