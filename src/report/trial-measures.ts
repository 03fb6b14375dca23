import type { View } from '../verdict/assertion.ts';

/** The numbers of a run by which trials are sliced and budgets are judged; `null` where the trace does not tell. */
export function trialMeasures({ run }: View): Record<string, number | null> {
  const { visibility, usage, toolCalls, modelCalls, steps } = run;
  const counted = (calls: number, sight: (typeof visibility)['toolCalls']): number | null =>
    sight === 'shown' ? calls : null;
  const told = usage.coverage === 'all';
  const models = modelCalls.reduce<number | null>(
    (sum, { calls }) => (sum === null || calls === null ? null : sum + calls),
    0,
  );
  return {
    steps: steps.length,
    toolCalls: counted(toolCalls.length, visibility.toolCalls),
    modelCalls: models === null ? null : counted(models, visibility.modelCalls),
    inputTokens: told ? usage.input : null,
    outputTokens: told ? usage.output : null,
  };
}
