import type { Span } from '../../trace/span.ts';
import type { Dialect, LayerKind } from '../dialect.ts';
import { firstOf, nameAfter, text } from '../reading.ts';
import { sights } from '../visibility.ts';
import { operationKind, semconvFacts } from './semconv.ts';

function kind({ attributes }: Span): LayerKind | undefined {
  const method = attributes.get('mcp.method.name');
  if (method === 'tools/call') return 'tool';
  if (method === 'elicitation/create') return 'human-input';
  const operation = operationKind(attributes.get('gen_ai.operation.name'));
  return operation ?? (typeof method === 'string' ? 'other' : undefined);
}

/** MCP clients and servers. They see their own tools and nothing of the agent around them. */
export const mcp: Dialect = {
  name: 'mcp',
  scopes: /^(mcp-python-sdk|mcp|@modelcontextprotocol\/.*)$/,
  keys: ['mcp.method.name'],
  kind,
  facts: {
    ...semconvFacts,
    toolName: firstOf(text('gen_ai.tool.name'), nameAfter('execute_tool ', 'tools/call ', 'MCP send tools/call ')),
  },
  sights: [
    {
      of: 'MCP clients and servers',
      shows: sights('hidden', { toolCalls: 'partly', toolNames: 'shown', failedToolCalls: 'partly' }),
      note: 'a call that fails is ERROR on one side only',
    },
  ],
};
