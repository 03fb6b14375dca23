import type { Run } from '../agent/run.ts';
import type { MissingEvidence } from './verdict.ts';
import { counted } from './wording.ts';

/** Several traces that nothing ties to one run or tells apart: a verdict must not depend on how they are grouped. */
export function isHeap(run: Run): boolean {
  return run.boundary === 'none' && run.traces.length > 1;
}

export function runsNotToldApart(run: Run): MissingEvidence {
  const traces = counted(run.traces.length, 'trace');
  return {
    kind: 'boundary',
    message: `runs cannot be told apart: ${traces} carry no run id and no agent span, and the verdict depends on how they are grouped; set otel_eval.run.id, or say --one-run or runBy: conversation`,
  };
}
