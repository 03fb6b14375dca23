import type { Dialect } from '../dialect.ts';
import { firstOf, nameAfter, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { openInference } from './openinference.ts';

/** CrewAI through OpenInference. Models are told of only where its event listener is switched on. */
export const crewai: Dialect = {
  ...openInference,
  name: 'openinference-crewai',
  scopes: /^openinference\.instrumentation\.crewai$/,
  keys: [],
  facts: {
    ...openInference.facts,
    agent: firstOf(text('agent.name', 'graph.node.name', 'graph.node.id'), nameAfter('Crew_')),
  },
  sights: [
    {
      of: 'CrewAI, OpenInference with its event listener',
      when: ({ spans }) => spans.some(({ attributes }) => attributes.get('openinference.span.kind') === 'LLM'),
      shows: sights('shown', { callIds: 'hidden', usage: 'partly', failureMarks: 'shown' }),
    },
    {
      of: 'CrewAI, OpenInference',
      shows: sights('shown', {
        callIds: 'hidden',
        modelCalls: 'hidden',
        failedModelCalls: 'hidden',
        usage: 'hidden',
        failureMarks: 'shown',
      }),
      note: 'no model spans',
    },
  ],
};
