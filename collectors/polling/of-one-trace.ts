import type { OtlpBatch } from '../../src/trace/otlp-reading.ts';
import type { InputProblem } from '../../src/trace/trace-set.ts';

/** The part of a reading that belongs to the trace that was asked for; what else came is named, not mixed in. */
export function ofOneTrace(batch: OtlpBatch, traceId: string): Pick<OtlpBatch, 'spans' | 'logs' | 'problems'> {
  if (batch.spans.every((span) => span.traceId === traceId)) return batch;
  const others = new Set(batch.spans.map((span) => span.traceId).filter((id) => id !== traceId));
  const problem: InputProblem = {
    code: 'other-trace',
    message: `expected spans of the trace that was asked for, got spans of ${others.size} others too`,
    at: `trace ${traceId}`,
  };
  return {
    spans: batch.spans.filter((span) => span.traceId === traceId),
    logs: batch.logs.filter((record) => record.traceId === traceId),
    problems: [...batch.problems, problem],
  };
}
