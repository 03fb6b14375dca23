import type { Run } from '../../agent/run.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import { spansOf } from '../run-spans.ts';
import type { Finding } from '../verdict.ts';
import { type Judged, lackingProjection, nothingJudged } from './judged-projections.ts';
import { projectionFinding as finding } from './projection-finding.ts';
import { projectionNames } from './projection-sentences.ts';
import type { RowIndex, RunRows } from './run-rows.ts';

/** Rows that name a span of the run, and another run. */
export function runIdRule({ kind }: RunRows, index: RowIndex, run: Run): readonly Finding[] {
  const own = spansOf(run).filter(({ attributes }) => attributes.get(ownAttributes.runId) === run.runId);
  const astray = own.flatMap((span) =>
    index
      .ofSpan(span.spanId)
      .filter(({ runId, traceId = span.traceId }) => runId !== run.runId && traceId === span.traceId)
      .map((row) => ({ row, span })),
  );
  const [first] = astray;
  if (first === undefined) return [];
  const args = { projection: projectionNames[kind], rows: astray.length, index: first.row.eventIndex };
  const spans = [...new Set(astray.map(({ span }) => span))];
  return [finding('projection-run-id-differs', { arguments: args, spans })];
}

export function conversationRule({ kind, events, ends }: RunRows, { conversationId }: Run): Judged {
  const projection = projectionNames[kind];
  if (conversationId === null) {
    const message = `the trace names no conversation (gen_ai.conversation.id), and ${projection} does`;
    return { ...nothingJudged, missing: [lackingProjection(message)] };
  }
  const others = [...events, ...ends].filter((row) => row.conversationId !== conversationId);
  if (others.length === 0) return nothingJudged;
  const args = { projection, rows: others.length };
  return {
    ...nothingJudged,
    violated: [finding('projection-conversation-id-differs', { arguments: args, spans: [] })],
  };
}

/** What an interface shows as one holds one turn, of one run. */
export function groupRule({ events }: RunRows, index: RowIndex): readonly Finding[] {
  const groups = [...new Set(events.flatMap(({ group }) => group ?? []))];
  const mixed = groups.filter((group) => index.turnsIn(group) > 1);
  const [first] = mixed;
  if (first === undefined) return [];
  const row = events.find(({ group }) => group === first);
  const args = { groups: mixed.length, turns: index.turnsIn(first), index: row?.eventIndex ?? 0 };
  return [finding('ui-group-of-several-turns', { arguments: args, spans: [] })];
}
