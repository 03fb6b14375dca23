import type { Run } from '../../agent/run.ts';
import { ownAttributes } from '../../trace/own-attributes.ts';
import { counted, nameOf } from '../wording.ts';
import { deltaRules } from './delta-rules.ts';
import { type Judged, lackingProjection, nothingJudged, together } from './judged-projections.ts';
import { type ProjectionKind, type Projections, projectionKinds } from './projection-row.ts';
import { projectionNames } from './projection-sentences.ts';
import { keyOf, rowRules } from './row-rules.ts';
import { conversationRule, groupRule, runIdRule } from './run-identity-rules.ts';
import { RowIndex, type RunRows } from './run-rows.ts';
import { missingRule, sameEventsRule, sequenceRules } from './sequence-rules.ts';
import { totalRules } from './total-rules.ts';
import { type TraceEvents, traceEvents } from './trace-events.ts';

export interface JudgedProjections extends Judged {
  /** `joined with 9 events of the live stream`. */
  readonly remarks: readonly string[];
}

/** Whether the projections that are given, and those that must be, tell of the same run as its trace. */
export function judgeProjections(run: Run, given: Projections, required: readonly ProjectionKind[]): JudgedProjections {
  const kinds = projectionKinds.filter((kind) => given[kind] !== undefined);
  const absent = required
    .filter((kind) => !kinds.includes(kind))
    .map((kind) =>
      lackingProjection(
        `${projectionNames[kind]} must be joined and ${isAre(kind)} not given (--projection ${kind}=FILE)`,
      ),
    );
  if (kinds.length === 0) return { ...nothingJudged, missing: absent, remarks: [] };
  const { runId } = run;
  if (runId === null) {
    const message = `no span names its run (${ownAttributes.runId}), so no row of a projection can be found; otel-eval/instrument stamps it`;
    return { ...nothingJudged, missing: [...absent, lackingProjection(message)], remarks: [] };
  }
  const trace = traceEvents(run);
  if (trace.segments.length === 0) return { ...nothingJudged, missing: [...absent, ...unstamped(trace)], remarks: [] };
  const indexed = kinds.map((kind) => {
    const index = RowIndex.of(given[kind] ?? []);
    return { index, rows: index.ofRun(kind, runId) };
  });
  const all = indexed.map(({ rows }) => rows);
  const durable = all.find(({ kind }) => kind === 'durable');
  const whole = all.filter((rows) => isWhole(rows) && isPlaced(rows, trace));
  const judged = together([
    { ...nothingJudged, missing: [...absent, ...unstamped(trace)] },
    { ...nothingJudged, violated: [...deltaRules(trace, run), ...sameEventsRule(whole, trace)] },
    ...indexed.map(({ index, rows }) => judgeOne({ index, rows, durable, trace }, run)),
  ]);
  const remarks = whole.map(
    ({ kind, events }) => `joined with ${counted(events.length, 'event')} of ${projectionNames[kind]}`,
  );
  return { ...judged, remarks };
}

interface One {
  readonly index: RowIndex;
  readonly rows: RunRows;
  readonly durable: RunRows | undefined;
  readonly trace: TraceEvents;
}

function judgeOne({ index, rows, durable, trace }: One, run: Run): Judged {
  const astray: Judged = { ...nothingJudged, violated: runIdRule(rows, index, run) };
  if (rows.events.length === 0) return together([astray, { ...nothingJudged, missing: [empty(rows)] }]);
  const traceIds = run.traces.map(({ traceId }) => traceId);
  const always = [
    astray,
    conversationRule(rows, run),
    rowRules(rows, trace, traceIds),
    { ...nothingJudged, violated: [...sequenceRules(rows, trace), ...groupRule(rows, index)] },
  ];
  // Of a projection that was cut off nobody knows what else it held.
  if (!isWhole(rows)) return together([...always, { ...nothingJudged, missing: [cutOff(rows)] }]);
  const counts = durable === undefined || isWhole(durable) ? totalRules(rows, durable) : nothingJudged;
  const absent = isPlaced(rows, trace) ? missingRule(rows, trace) : [];
  return together([...always, { ...nothingJudged, violated: absent }, counts]);
}

/** Every row says of which segment it is, so that it is known which events are not there. */
function isPlaced({ events }: RunRows, trace: TraceEvents): boolean {
  return events.every((row) => keyOf(row, trace) !== undefined);
}

function isWhole({ events, ends }: RunRows): boolean {
  return events.length > 0 && ends.length > 0;
}

function empty({ kind }: RunRows) {
  return lackingProjection(`${projectionNames[kind]} ${holdHolds(kind)} no event of this run`);
}

function cutOff({ kind }: RunRows) {
  const name = projectionNames[kind];
  return lackingProjection(`${name} ${isAre(kind)} cut off: no row with totals ends this run`);
}

function unstamped({ unstamped: spans, segments }: TraceEvents) {
  if (segments.length > 0 && spans.length === 0) return [];
  const which =
    spans.length === 0 ? 'no span carries' : `${counted(spans.length, 'step')} (${nameOf(spans[0])} first) without`;
  return [
    lackingProjection(
      `${which} ${ownAttributes.eventIndex}, by which projections are joined; otel-eval/instrument stamps it`,
    ),
  ];
}

function isAre(kind: ProjectionKind): string {
  return kind === 'durable' ? 'are' : 'is';
}

function holdHolds(kind: ProjectionKind): string {
  return kind === 'durable' ? 'hold' : 'holds';
}
