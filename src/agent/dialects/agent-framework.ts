import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

function kind({ attributes, name }: Span): LayerKind | undefined {
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  if (operation !== undefined) return operation;
  // Chat clients of .NET name the span after the tool alone.
  if (attributes.has('gen_ai.tool.name') || attributes.has('gen_ai.tool.call.id')) return 'tool';
  if (name === 'workflow.run') return 'agent';
  return /^(workflow\.|executor\.process|edge_group\.process|message\.send|orchestrate_tools)/.test(name)
    ? 'other'
    : undefined;
}

/** Microsoft Agent Framework, and the chat clients of .NET. */
export const agentFramework: Dialect = {
  name: 'agent-framework',
  scopes: /^(agent_framework|(Experimental\.)?Microsoft\.(Agents\.AI|Extensions\.AI)(\.|$))/,
  kind,
  facts: {
    ...semconvFacts,
    // What it calls a conversation is the response before: another one on every call.
    conversation: (span) => {
      const session = span.attributes.get('session.id');
      return typeof session === 'string' && session !== '' ? { value: session, from: 'session.id' } : undefined;
    },
  },
  sights: [
    {
      of: 'Microsoft Agent Framework',
      scope: /^(agent_framework|(Experimental\.)?Microsoft\.Agents\.AI)/,
      shows: sights('shown', {
        failureMarks: 'shown',
        handoffs: 'partly',
        retrievals: 'partly',
        humanInputs: 'partly',
      }),
    },
    {
      of: 'Microsoft.Extensions.AI chat clients without function invocation',
      when: ({ spans }) => !spans.some((span) => kind(span) === 'tool'),
      shows: sights('shown', { toolCalls: 'hidden', failedToolCalls: 'hidden', subAgents: 'hidden' }),
      note: 'tools run in the application, or have spans of their name alone',
    },
    {
      of: 'Microsoft.Extensions.AI chat clients',
      shows: sights('shown', { failureMarks: 'partly', subAgents: 'hidden' }),
    },
  ],
};
