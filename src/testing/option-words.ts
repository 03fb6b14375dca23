import type { Verdict } from '../verdict/verdict.ts';

/** The flags that verdicts name, as options of `recordTraces` and `collectTrace`. */
const options: readonly (readonly [RegExp, string])[] = [
  [/--instrumented ("[^"]*")/g, 'instrumented: [$1]'],
  [/--instrumented/g, 'instrumented'],
  [/--completeness settled/g, 'completeness: "settled"'],
  [/--deadline/g, 'deadlineMs'],
];

/** A verdict that names the options of tests where it would name flags of the command line. */
export function inOptionWords(verdict: Verdict): Verdict {
  const told = (text: string) => options.reduce((sentence, [flag, option]) => sentence.replace(flag, option), text);
  return {
    ...verdict,
    missing: verdict.missing.map((each) => ({ ...each, message: told(each.message) })),
    remarks: verdict.remarks.map(told),
  };
}
