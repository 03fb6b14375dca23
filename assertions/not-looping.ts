import { z } from 'zod';
import { type Cycle, cyclesIn } from '../src/faults/read/cycles.ts';
import { type TrajectoryStep, trajectoryOf } from '../src/faults/read/trajectory.ts';
import { displayName } from '../src/trace/display-name.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { type BudgetBound, budgetBound } from '../src/verdict/budget-bound.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed, quoted } from '../src/verdict/wording.ts';

export interface NotLoopingParameters {
  readonly rounds: number;
  readonly longest: number;
  readonly ceiling?: BudgetBound | undefined;
}

const parameters: z.ZodType<NotLoopingParameters> = z
  .strictObject({
    rounds: z
      .int()
      .min(2)
      .default(3)
      .describe('From so many rounds of the same calls with the same results it is a loop. Default: 3.'),
    longest: z.int().min(1).max(50).default(6).describe('Calls of the longest round that is looked for. Default: 6.'),
    ceiling: budgetBound.optional().describe('Tool calls at which a run is stopped, whatever it is doing.'),
  })
  .describe('The agent does not go round in circles, and stays below a hard ceiling of steps.');

const findings = {
  cycle: sentence<{ tools: readonly string[]; rounds: number; least: number; step: number }>({
    expected: ({ least }) => `fewer than ${least} rounds of the same calls with the same results`,
    observed: ({ tools, rounds, step }) => `${rounds} of ${listed(tools)}, from tool call ${step} on`,
  }),
  'at-ceiling': sentence<{ max: number; source: string; calls: number }>({
    expected: ({ max, source }) => `fewer than ${counted(max, 'tool call')} (${source})`,
    observed: ({ calls }) => String(calls),
  }),
};
const finding = findingMaker('NotLooping', findings);

function evaluate(view: View, { rounds, longest, ceiling }: NotLoopingParameters): Verdict {
  const examined = spansExamined(view.run);
  if (isHeap(view.run)) return conclude({ examined, missing: [runsNotToldApart(view.run)] });
  const trajectory = trajectoryOf(view.run);
  const { cycle, open } = cyclesIn(trajectory, rounds, longest);
  const found = [
    ...(cycle === undefined ? [] : [cycling(cycle, trajectory, rounds)]),
    ...(ceiling !== undefined && trajectory.length >= ceiling.max ? [stopped(ceiling, trajectory)] : []),
  ];
  return conclude({
    examined,
    findings: found,
    // More spans cannot undo a loop that was seen.
    missing: found.length > 0 ? [] : lacking(view, open),
    remarks: groundRemarks(view),
  });
}

function cycling({ start, length, rounds }: Cycle, trajectory: readonly TrajectoryStep[], least: number): Finding {
  const steps = trajectory.slice(start, start + length * rounds);
  const tools = steps.slice(0, length).map(({ tool }) => quoted(tool ?? 'a tool'));
  return finding('cycle', {
    arguments: { tools, rounds, least, step: start + 1 },
    spans: steps.flatMap(({ call }) => call.spans.slice(0, 1)),
  });
}

function stopped({ max, source }: BudgetBound, trajectory: readonly TrajectoryStep[]): Finding {
  const spans = trajectory.slice(Math.max(0, max - 1)).flatMap(({ call }) => call.spans.slice(0, 1));
  return finding('at-ceiling', { arguments: { max, source: displayName(source), calls: trajectory.length }, spans });
}

function lacking(view: View, open: Cycle | undefined): readonly MissingEvidence[] {
  const message =
    'the same calls come again, and arguments or results are not in the trace; content mode would show them';
  return [
    ...(open === undefined ? [] : [{ kind: 'content', message }]),
    ...undecidedAbsence(view, ['toolCalls', 'failedToolCalls']),
  ];
}

export const notLooping: Assertion<NotLoopingParameters> = {
  id: 'NotLooping',
  summary: 'The agent does not make the same calls with the same results again and again, and stays below a ceiling.',
  needs:
    'for a loop that is seen, any trace with arguments and results; else a whole one in which tool calls, failed ones too, are shown',
  parameters,
  findings,
  evaluate,
};
