import type { Dialect } from '../dialect.ts';
import { content, firstOf } from '../reading.ts';
import { sights } from '../visibility.ts';
import { openInference } from './openinference.ts';

/** Agno through OpenInference: the arguments also stand where others write the schema, and stay there. */
export const agno: Dialect = {
  ...openInference,
  name: 'openinference-agno',
  sights: [{ of: 'Agno, OpenInference', shows: sights('shown', { callIds: 'hidden', failureMarks: 'shown' }) }],
  scopes: /^openinference\.instrumentation\.agno$/,
  keys: [],
  facts: {
    ...openInference.facts,
    arguments: firstOf(openInference.facts.arguments ?? content(), content('tool.parameters')),
  },
};
