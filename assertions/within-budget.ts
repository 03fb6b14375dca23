import { z } from 'zod';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { type AttemptOptions, attemptsUse } from '../src/verdict/attempts-use.ts';
import { runsNotToldApart } from '../src/verdict/boundary.ts';
import { type BudgetBound, budgetBound, budgetBoundShape } from '../src/verdict/budget-bound.ts';
import { type BudgetUse, modelCallsUse, spansUse, stepsUse, toolCallsUse } from '../src/verdict/budget-use.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { durationUse, tokensUse } from '../src/verdict/measured-use.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';

export interface WithinBudgetParameters {
  readonly spans?: BudgetBound | undefined;
  readonly steps?: BudgetBound | undefined;
  readonly modelCalls?: BudgetBound | undefined;
  readonly toolCalls?: BudgetBound | undefined;
  readonly toolAttempts?: (BudgetBound & AttemptOptions) | undefined;
  readonly inputTokens?: BudgetBound | undefined;
  readonly outputTokens?: BudgetBound | undefined;
  readonly totalTokens?: BudgetBound | undefined;
  readonly durationMs?: BudgetBound | undefined;
}

const toolAttempts: z.ZodType<BudgetBound & AttemptOptions> = z.strictObject({
  ...budgetBoundShape,
  per: z
    .enum(['tool', 'operation'])
    .default('tool')
    .describe('`tool`: calls of each tool. `operation`: calls of each tool with the same arguments.'),
  tool: z.string().min(1).optional().describe('Only this tool; by default each of them.'),
  identity: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Arguments that tell one operation from another; by default all of them.'),
});

const parameters: z.ZodType<WithinBudgetParameters> = z
  .strictObject({
    spans: budgetBound.optional().describe('Spans of the run.'),
    steps: budgetBound.optional().describe('Steps of the run: model and tool calls, retrievals, handoffs and so on.'),
    modelCalls: budgetBound.optional().describe('Model calls, failed ones included.'),
    toolCalls: budgetBound.optional().describe('Tool calls that ran, failed ones included.'),
    toolAttempts: toolAttempts.optional().describe('Attempts of each tool, or of each operation.'),
    inputTokens: budgetBound.optional().describe('Input tokens of all model calls, cached ones included.'),
    outputTokens: budgetBound.optional().describe('Output tokens of all model calls, reasoning included.'),
    totalTokens: budgetBound.optional().describe('Input and output tokens together.'),
    durationMs: budgetBound.optional().describe('Milliseconds from the first start to the last end.'),
  })
  .refine((bounds) => Object.values(bounds).some((bound) => bound !== undefined), {
    error: 'expected at least one bound, got none',
  })
  .describe('The run stays within bounds, each with its source.');

/** `1 attempt of "search"`, `2 attempts of "search"`. */
function amount(count: number, what: string): string {
  return `${count} ${count === 1 ? what.replace(/^([a-z ]*?)s( of |$)/, '$1$2') : what}`;
}

const findings = {
  'over-budget': sentence<{ what: string; max: number; used: number; source: string }>({
    expected: ({ what, max, source }) => `at most ${amount(max, what)} (${source})`,
    observed: ({ what, used }) => amount(used, what),
  }),
};
const finding = findingMaker('WithinBudget', findings);

interface Measured {
  readonly bound: BudgetBound;
  readonly use: BudgetUse;
}

function measure(view: View, given: WithinBudgetParameters): readonly Measured[] {
  const one = (bound: BudgetBound | undefined, use: (view: View, max: number) => BudgetUse): readonly Measured[] =>
    bound === undefined ? [] : [{ bound, use: use(view, bound.max) }];
  const { toolAttempts: attempts } = given;
  return [
    ...one(given.spans, spansUse),
    ...one(given.steps, stepsUse),
    ...one(given.modelCalls, modelCallsUse),
    ...one(given.toolCalls, toolCallsUse),
    ...(attempts === undefined
      ? []
      : attemptsUse(view, attempts.max, attempts).map((use) => ({ bound: attempts, use }))),
    ...one(given.inputTokens, (_, max) => tokensUse(view, max, 'input')),
    ...one(given.outputTokens, (_, max) => tokensUse(view, max, 'output')),
    ...one(given.totalTokens, (_, max) => tokensUse(view, max, 'total')),
    ...one(given.durationMs, durationUse),
  ];
}

function overBudget({ bound, use }: Measured): Finding {
  const args = { what: use.what, max: bound.max, used: use.used, source: displayName(bound.source) };
  return finding('over-budget', { arguments: args, spans: use.spans });
}

function missingFor(view: View, { verdict, facts, open }: BudgetUse): readonly MissingEvidence[] {
  if (verdict === 'too-many') return [];
  if (verdict === 'grouping') return [runsNotToldApart(view.run)];
  const unknown = verdict === 'open' ? [{ kind: 'visibility', message: open }] : [];
  return [...unknown, ...undecidedAbsence(view, facts)];
}

function evaluate(view: View, given: WithinBudgetParameters): Verdict {
  const measured = measure(view, given);
  return conclude({
    examined: spansExamined(view.run),
    findings: measured.filter(({ use }) => use.verdict === 'too-many').map(overBudget),
    missing: measured.flatMap(({ use }) => missingFor(view, use)),
    remarks: groundRemarks(view),
  });
}

export const withinBudget: Assertion<WithinBudgetParameters> = {
  id: 'WithinBudget',
  summary: 'The run stays within bounds of spans, steps, calls, attempts, tokens and time.',
  needs: 'over budget: any trace; within it: a whole one that shows what is counted',
  parameters,
  findings,
  evaluate,
};
