import type { Outcome, Run } from '../agent/run.ts';
import type { Span } from '../trace/span.ts';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  ended: 'result not seen',
  denied: 'denied',
  notRun: 'not run',
  unknown: 'outcome unknown',
};

/** What the run's reading knows of a tool call beyond its span. */
export function callNotes({ toolCalls }: Run): (span: Span) => readonly string[] {
  const notes = new Map<Span, string[]>();
  for (const { spans, outcome, attempt } of toolCalls) {
    const [span] = spans;
    if (span === undefined) continue;
    const told: string[] = [];
    const isPlain = outcome === 'succeeded' || (outcome === 'failed' && span.status.code === 'error');
    if (!isPlain) told.push(outcomeWords[outcome]);
    if (attempt !== null && attempt > 1) told.push(`attempt ${attempt}`);
    notes.set(span, told);
  }
  return (span) => notes.get(span) ?? [];
}
