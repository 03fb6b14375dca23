import type { Finding } from '../verdict.ts';
import { type Judged, lackingProjection, nothingJudged } from './judged-projections.ts';
import { projectionFinding as finding } from './projection-finding.ts';
import type { EventRow, ProjectedEvent, Totals } from './projection-row.ts';
import { projectionNames } from './projection-sentences.ts';
import type { RunRows } from './run-rows.ts';

type Total = keyof Totals;

const words: Readonly<Record<Total, string>> = {
  events: 'events',
  modelCalls: 'model calls',
  toolCalls: 'tool calls',
  textDeltas: 'text deltas',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
};

/**
 * What a projection says of the whole run, beside what the durable rows add up to. Without durable rows only the number
 * of its own rows can be counted again.
 */
export function totalRules({ kind, ends, events }: RunRows, durable: RunRows | undefined): Judged {
  const projection = projectionNames[kind];
  const claims = ends.flatMap(({ totals }) => Object.entries(totals) as [Total, number | undefined][]);
  const violated: Finding[] = [];
  const untold = new Set<Total>();
  for (const [total, claimed] of claims) {
    if (claimed === undefined) continue;
    const recomputed = total === 'events' && durable === undefined ? events.length : recount(total, durable?.events);
    if (recomputed === undefined) untold.add(total);
    else if (recomputed !== claimed) {
      const args = { projection, total: words[total], claimed, recomputed };
      violated.push(finding('total-differs', { arguments: args, spans: [] }));
    }
  }
  if (untold.size === 0) return { ...nothingJudged, violated };
  const what = [...untold].map((total) => words[total]).join(', ');
  const why =
    durable === undefined ? 'the durable rows are not given' : 'not every model call in the durable rows tells them';
  return {
    ...nothingJudged,
    violated,
    missing: [lackingProjection(`${what} of ${projection} cannot be added up: ${why}`)],
  };
}

const counted: Readonly<Partial<Record<Total, ProjectedEvent>>> = {
  modelCalls: 'model',
  toolCalls: 'tool',
  textDeltas: 'text_delta',
};

function recount(total: Total, rows: readonly EventRow[] | undefined): number | undefined {
  if (rows === undefined) return undefined;
  if (total === 'events') return rows.length;
  const event = counted[total];
  if (event !== undefined) return rows.filter((row) => row.event === event).length;
  if (total !== 'inputTokens' && total !== 'outputTokens') return undefined;
  const tokens = rows.filter((row) => row.event === 'model').map((row) => row[total]);
  return tokens.includes(undefined) ? undefined : tokens.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}
