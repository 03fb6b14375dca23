import type { InputReading } from '../../trace/trace-set.ts';
import type { MissingEvidence } from '../../verdict/verdict.ts';

/** Problems after which a span may be missing from any trace of the input. */
const losing = /^(bad-(span|trace-id|span-id|trace|list|element|line|json)|cut-|truncated|more-problems)/;

/** What keeps a pass over these inputs from being shown: rows that could not be read may be the ones that matter. */
export function lostSpans(inputs: readonly InputReading[]): MissingEvidence[] {
  return inputs.flatMap(({ input, problems }) => {
    const lost = problems.filter(({ code }) => losing.test(code));
    const [first] = lost;
    if (first === undefined) return [];
    const count = lost.length === 1 ? 'a row' : `${lost.length} rows`;
    const where = first.at === '' ? '' : ` (${first.at})`;
    return [{ kind: 'unreadable-input', message: `${count} of ${input} could not be read: ${first.message}${where}` }];
  });
}
