import type { Run, ToolCall } from '../../agent/run.ts';
import type { Answer } from '../../verdict/argument-match.ts';
import { isAboutSame } from '../read/same-entity.ts';

/**
 * Whether the effect of these tries was shown: by one that succeeded, or, where the answer of a write was lost, by a read
 * of the same thing after it.
 *
 * @param verify - names of the reads that show it
 */
export function effectShown(run: Run, tries: readonly ToolCall[], verify: readonly string[]): Answer {
  if (tries.some(({ outcome }) => outcome === 'succeeded' || outcome === 'ended')) return 'yes';
  const last = Math.max(...tries.map((call) => run.toolCalls.indexOf(call)));
  const reads = run.toolCalls.filter(
    ({ name, outcome }, at) => at > last && name !== null && verify.includes(name) && outcome === 'succeeded',
  );
  const answers = reads.flatMap((read) => tries.map((write) => isAboutSame(read, write)));
  return answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no';
}
