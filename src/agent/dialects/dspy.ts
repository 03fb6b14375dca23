import type { Dialect } from '../dialect.ts';
import { firstOf, spanName, text, through } from '../reading.ts';
import { sights } from '../visibility.ts';
import { openInference } from './openinference.ts';

/** DSPy through OpenInference. The model asks for tools in plain text; no usage is told. */
export const dspy: Dialect = {
  ...openInference,
  name: 'openinference-dspy',
  scopes: /^openinference\.instrumentation\.dspy$/,
  keys: [],
  facts: {
    ...openInference.facts,
    toolName: firstOf(
      text('tool.name'),
      through(spanName, (name) => name.replace(/\.(__call__|acall|forward)$/, '')),
    ),
  },
  sights: [
    {
      of: 'DSPy, OpenInference',
      shows: sights('shown', { callIds: 'hidden', usage: 'hidden', failureMarks: 'shown', retrievals: 'partly' }),
    },
  ],
  ownTools: /^finish$/,
};
