import type { InputReading } from '../../trace/trace-set.ts';
import type { MissingEvidence } from '../../verdict/verdict.ts';

/** Problems after which a span may be missing from any trace of the input, or a whole trace. */
const losing =
  /^(bad-(span|trace-id|span-id|trace|list|element)|cut-off|nul-bytes|search-cut|search-too-early|more-problems)$/;

/** What keeps a pass over these inputs from being shown: what was not read may be what matters. */
export function lostSpans(inputs: readonly InputReading[]): MissingEvidence[] {
  return inputs.flatMap(({ input, problems }) => {
    const lost = problems.filter(({ code }) => losing.test(code));
    const [first] = lost;
    if (first === undefined) return [];
    const where = first.at === '' ? '' : ` (${first.at})`;
    const more = lost.length === 1 ? '' : `, and ${lost.length - 1} more`;
    return [{ kind: 'unreadable-input', message: `not all of ${input} was read: ${first.message}${where}${more}` }];
  });
}
