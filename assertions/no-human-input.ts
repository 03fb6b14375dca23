import { z } from 'zod';
import type { Run } from '../src/agent/run.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { laterMessages, unreadMessages } from '../src/verdict/later-messages.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { type Fact, undecidedAbsence } from '../src/verdict/sight.ts';
import type { MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted } from '../src/verdict/wording.ts';

type Kind = Run['humanInputs'][number]['kind'];

export interface NoHumanInputParameters {
  readonly allow: readonly Kind[];
}

const parameters: z.ZodType<NoHumanInputParameters> = z
  .strictObject({
    allow: z
      .array(z.enum(['message', 'approval', 'edit']))
      .default([])
      .describe('Kinds of human input that are allowed after the start; by default none.'),
  })
  .describe('After the start of the run no person took part in it.');

const findings = {
  'human-input': sentence<{ kind: string; inputs: number }>({
    expected: ({ kind }) => `no ${kind} by a person after the start`,
    observed: ({ kind, inputs }) => counted(inputs, kind),
  }),
};
const finding = findingMaker('NoHumanInput', findings);

function evaluate(view: View, { allow }: NoHumanInputParameters): Verdict {
  const { run } = view;
  const later = run.humanInputs.filter((input) => !allow.includes(input.kind) && isAfterStart(input, run));
  const kinds = [...new Set(later.map(({ kind }) => kind))];
  const found = kinds.map((kind) => {
    const inputs = later.filter((input) => input.kind === kind);
    const spans = inputs.flatMap((input) => input.spans.slice(0, 1));
    return finding('human-input', { arguments: { kind, inputs: inputs.length }, spans });
  });
  const missing = found.length > 0 ? [] : [...undecidedAbsence(view, factsBehind(allow)), ...unclear(view, allow)];
  return conclude({ examined: spansExamined(run), findings: found, missing, remarks: groundRemarks(view) });
}

/** Messages stand in the history of the models; approvals and edits need spans of their own. */
function factsBehind(allow: readonly Kind[]): readonly Fact[] {
  const messages: readonly Fact[] = allow.includes('message') ? [] : ['modelCalls', 'content'];
  const decisions = (['approval', 'edit'] as const).every((kind) => allow.includes(kind));
  return decisions ? messages : [...messages, 'humanInputs'];
}

/** The message that starts a run is no input after its start. */
function isAfterStart({ kind, spans }: Run['humanInputs'][number], { modelCalls }: Run): boolean {
  const first = modelCalls[0]?.spans[0];
  const [own] = spans;
  return kind !== 'message' || own === undefined || first === undefined || own.startUnixNano > first.startUnixNano;
}

function unclear({ run }: View, allow: readonly Kind[]): readonly MissingEvidence[] {
  if (isHeap(run)) return [runsNotToldApart(run)];
  return allow.includes('message') ? [] : [...laterMessages(run), ...unreadMessages(run)];
}

export const noHumanInput: Assertion<NoHumanInputParameters> = {
  id: 'NoHumanInput',
  summary: 'After the start of the run no person took part in it.',
  needs:
    'for an input that was seen any trace; else a whole one in which model calls, with content, and human inputs are shown',
  parameters,
  findings,
  evaluate,
};
