import type { Verdict } from '../verdict/verdict.ts';

/** The flags that verdicts name, as options of `recordTraces` and `collectTrace`. */
const options: readonly (readonly [RegExp, string])[] = [
  [/--instrumented ("[^"]*")/g, 'instrumented: [$1]'],
  [/--instrumented/g, 'instrumented'],
  [/--completeness settled/g, 'completeness: "settled"'],
  [/--deadline/g, 'deadlineMs'],
  [/--url/g, 'url'],
  [/--user NAME/g, 'user'],
  [/--token-env NAME/g, 'OTEL_EVAL_TOKEN'],
  [/--trace-id/g, 'traceId'],
  [/--ca FILE/g, 'ca'],
];

export function inOptionWords(sentence: string): string {
  return options.reduce((told, [flag, option]) => told.replace(flag, option), sentence);
}

const noTrace = /no trace is at hand; check the selection and where the app sends spans/;

/** Of a recording there is one way to have no trace. */
export function withoutSpans(verdict: Verdict): Verdict {
  const told =
    'no trace is at hand: nothing made a span in record(); instrument the agent, or give traces.processor to its own provider; "npx otel-eval doctor" knows further reasons';
  const missing = verdict.missing.map((each) => ({ ...each, message: each.message.replace(noTrace, told) }));
  return { ...verdict, missing };
}

/** A verdict that names the options of tests where it would name flags of the command line. */
export function verdictInOptionWords(verdict: Verdict): Verdict {
  return {
    ...verdict,
    missing: verdict.missing.map((each) => ({ ...each, message: inOptionWords(each.message) })),
    remarks: verdict.remarks.map(inOptionWords),
  };
}
