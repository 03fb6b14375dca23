import type { ToolCall } from '../agent/run.ts';
import type { View } from './assertion.ts';
import { type BudgetUse, callFacts, callsUse, openCalls } from './budget-use.ts';
import { operationOf } from './operation.ts';
import { didRun } from './tool-match.ts';
import { quoted } from './wording.ts';

export interface AttemptOptions {
  readonly per: 'tool' | 'operation';
  readonly tool?: string | undefined;
  readonly identity?: readonly string[] | undefined;
}

interface Group {
  readonly certain: ToolCall[];
  readonly possible: ToolCall[];
}

/**
 * How often each tool (or each logical operation of it) was tried, failed tries included. A call that does not tell its
 * tool or operation may have been a try of any of them.
 */
export function attemptsUse(view: View, max: number, options: AttemptOptions): readonly BudgetUse[] {
  const groups = new Map<string, Group>();
  const unknown: ToolCall[] = [];
  for (const call of view.run.toolCalls) {
    if (didRun(call) === 'no' || (call.name !== null && options.tool !== undefined && call.name !== options.tool))
      continue;
    const key = options.per === 'tool' ? call.name : operationOf(call, options.identity);
    if (key === null) unknown.push(call);
    else groupOf(groups, key)[didRun(call) === 'yes' ? 'certain' : 'possible'].push(call);
  }
  if (groups.size === 0) groupOf(groups, '');
  return [...groups.values()].map(({ certain, possible }) => {
    const name = certain[0]?.name ?? possible[0]?.name ?? options.tool;
    const subject = name === undefined ? 'a tool' : quoted(name);
    return callsUse(
      view,
      { certain, possible: [...possible, ...unknown] },
      {
        what: options.per === 'tool' ? `attempts of ${subject}` : `attempts of one operation of ${subject}`,
        // Where each call tells its operation (arguments, or the instrumentation's stamp), the words are not needed.
        facts: [
          ...callFacts,
          'toolNames',
          ...(options.per === 'operation' && unknown.length > 0 ? (['arguments'] as const) : []),
        ],
        open: openCalls,
        max,
      },
    );
  });
}

function groupOf(groups: Map<string, Group>, key: string): Group {
  const group = groups.get(key) ?? { certain: [], possible: [] };
  groups.set(key, group);
  return group;
}
