import type { Span } from '../trace/span.ts';
import type { Trace } from '../trace/trace.ts';
import type { View } from './assertion.ts';
import { counted, listed, quoted } from './wording.ts';

/** True things about how a run hangs together that decide nothing. */
export function joinRemarks(view: View): readonly string[] {
  return [...view.run.traces.flatMap(remarksOf), ...view.run.remarks, ...unselectedRemarks(view)];
}

function remarksOf(trace: Trace): readonly string[] {
  const repeats = trace.duplicates.filter(({ same }) => same);
  const { startedBefore, startedAfterEnd } = timingFacts(trace);
  return [
    ...(repeats.length > 0
      ? [`${counted(repeats.length, 'span')} came more than once with equal content, counted once`]
      : []),
    ...(trace.pendingRows > 0 ? [`${counted(trace.pendingRows, 'placeholder')} of spans in progress not counted`] : []),
    ...trace.open.slice(0, mostNamed).map(({ name }) => `${quoted(name)} is not ended, so its duration is unknown`),
    ...(trace.open.length > mostNamed ? [`${trace.open.length - mostNamed} more spans are not ended`] : []),
    ...(trace.unfinished.length > 0
      ? [`${counted(trace.unfinished.length, 'span')} announced as started never came: unfinished`]
      : []),
    ...timingRemark(startedBefore, 'before its parent'),
    ...timingRemark(startedAfterEnd, 'after its parent had ended'),
  ];
}

const mostNamed = 5;

function timingRemark(spans: readonly Span[], when: string): readonly string[] {
  const [first] = spans;
  if (first === undefined) return [];
  const more = spans.length > 1 ? `, and so did ${counted(spans.length - 1, 'other span')}` : '';
  return [`${quoted(first.name)} started ${when}${more}`];
}

/** Traces of the same source that no scenario selected: a run may have left a part of itself there. */
function unselectedRemarks(view: View): readonly string[] {
  if (view.unselected.length === 0) return [];
  const tops = view.unselected.map(({ traceId, topSpanNames }) => `${listed(topSpanNames.map(quoted))} (${traceId})`);
  return [`outside of this run, in the same source: ${listed(tops)}`];
}

/** Children whose start and end leave their parent's by more than clocks explain. */
interface TimingFacts {
  readonly startedBefore: readonly Span[];
  readonly startedAfterEnd: readonly Span[];
}

/** JavaScript clocks: start times are whole milliseconds, end times are not. */
const toleranceNanos = 1_000_000n;

function timingFacts(trace: Trace): TimingFacts {
  const startedBefore: Span[] = [];
  const startedAfterEnd: Span[] = [];
  for (const span of trace.spans) {
    const parent = span.parentSpanId === undefined ? undefined : trace.spansById.get(span.parentSpanId);
    if (parent === undefined) continue;
    if (isBefore(span.startUnixNano, parent.startUnixNano)) startedBefore.push(span);
    else if (parent.endUnixNano !== undefined && isBefore(parent.endUnixNano, span.startUnixNano)) {
      startedAfterEnd.push(span);
    }
  }
  return { startedBefore, startedAfterEnd };
}

/** By more than clocks explain. Most times are in order, and comparing makes no new numbers. */
function isBefore(a: bigint, b: bigint): boolean {
  return a < b && b - a > toleranceNanos;
}
