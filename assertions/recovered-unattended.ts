import { z } from 'zod';
import type { ToolCall } from '../src/agent/run.ts';
import { effectsOf } from '../src/faults/read/effects-of.ts';
import { endStateOf } from '../src/faults/read/end-state.ts';
import { type FaultEvents, faultEventsOf } from '../src/faults/read/fault-events.ts';
import { sessionEvents, sessionsMixed } from '../src/faults/read/fault-sessions.ts';
import { isLater } from '../src/faults/read/faulted-run-of.ts';
import { effectBalance } from '../src/faults/recovery/effect-balance.ts';
import { type RepairEvidence, repairEvidence } from '../src/faults/unattended/repair-layer.ts';
import { effectShown } from '../src/faults/unattended/shown-effect.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { type BudgetBound, budgetBoundShape } from '../src/verdict/budget-bound.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { laterMessages, unreadMessages } from '../src/verdict/later-messages.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import { didRun } from '../src/verdict/tool-match.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { counted, listed, quoted } from '../src/verdict/wording.ts';

export interface RecoveredUnattendedParameters {
  readonly tool: string;
  readonly attempts: BudgetBound & { readonly cap: number };
  readonly normalisers: readonly string[];
  readonly verify: readonly string[];
  readonly otherEffects: readonly string[];
}

const parameters: z.ZodType<RecoveredUnattendedParameters> = z
  .strictObject({
    tool: z.string().min(1).describe('The tool under test, on its production dispatch path.'),
    attempts: z
      .strictObject({
        ...budgetBoundShape,
        cap: z.int().positive().describe('Attempts at which the runner stops a run: at least three times max.'),
      })
      .refine(({ max, cap }) => cap >= 3 * max, {
        error: 'expected a cap of at least three times max: a bound that the runner enforces can never be broken',
      })
      .describe('Attempts of the tool in one run; chosen in advance.'),
    normalisers: z
      .array(z.string())
      .describe('Layers that change calls before they are validated, as the app declares them. Must be empty to pass.'),
    verify: z
      .array(z.string().min(1))
      .default([])
      .describe('Reads that show the effect, for a call whose answer was lost.'),
    otherEffects: z
      .array(z.string().min(1))
      .default([])
      .describe('Other tools whose effects belong to the task: what one of them changes is no second effect.'),
  })
  .describe('After an error the agent reached its goal by itself, within a bound, with exactly one effect.');

const findings = {
  'attempts-over-bound': sentence<{ tool: string; max: number; source: string; attempts: number; atCap: boolean }>({
    expected: ({ tool, max, source }) => `at most ${counted(max, 'attempt')} of ${tool} (${source})`,
    observed: ({ attempts, atCap }) => (atCap ? `at least ${attempts}: stopped at the cap` : `${attempts}`),
  }),
  'not-one-effect': sentence<{ tool: string; standing: number; duplicate: boolean }>({
    expected: ({ tool }) => `exactly one effect of ${tool}`,
    observed: ({ standing, duplicate }) => `${standing}${duplicate ? ', the same one more than once' : ''}`,
  }),
  'end-state-wrong': sentence<Record<string, never>>({
    expected: () => 'the store in the state that was wanted',
    observed: () => 'it is in another one',
  }),
  'constraint-broken': sentence<Record<string, never>>({
    expected: () => 'no constraint of the sandbox broken on the way',
    observed: () => 'one was',
  }),
  'no-ok-result': sentence<{ tool: string; attempts: number }>({
    expected: ({ tool }) => `a call of ${tool} that succeeded, or a read that shows its effect`,
    observed: ({ attempts }) => `none after ${counted(attempts, 'attempt')}`,
  }),
  'human-input': sentence<{ inputs: number }>({
    expected: () => 'no person in the run after its start',
    observed: ({ inputs }) => counted(inputs, 'input'),
  }),
  'repair-layer': sentence<{ told: readonly string[] }>({
    expected: () => 'calls reach the validator as the model wrote them',
    observed: ({ told }) => listed(told),
  }),
};
const finding = findingMaker('RecoveredUnattended', findings);

interface Judged {
  readonly view: View;
  readonly given: RecoveredUnattendedParameters;
  readonly events: FaultEvents;
  readonly sessions: number;
  readonly tries: readonly ToolCall[];
}

function evaluate(view: View, given: RecoveredUnattendedParameters): Verdict {
  const examined = spansExamined(view.run);
  if (isHeap(view.run)) return conclude({ examined, missing: [runsNotToldApart(view.run)] });
  const tries = view.run.toolCalls.filter((call) => call.name === given.tool && didRun(call) !== 'no');
  const { events, sessions } = sessionEvents(faultEventsOf(view.run));
  const judged = { view, given, events, tries, sessions };
  const exercised = tries.some(({ outcome }) => outcome === 'failed');
  const wrong = [...store(judged), ...people(judged), ...repair(judged)];
  const missing = lacking(judged);
  return {
    ...conclude({
      examined,
      findings: exercised ? [...attempts(judged), ...wrong] : people(judged),
      missing: [...(exercised ? [] : [notExercised(given)]), ...missing],
      remarks: groundRemarks(view),
    }),
    facts: {
      exercised,
      // Late is not never: how many attempts were too many is the claim's to say.
      recovered: exercised && wrong.length === 0 && missing.length === 0,
      attempts: tries.length,
      atCap: tries.length >= given.attempts.cap,
    },
  };
}

/** A run in which the model was right at once is no failure, and shows nothing. */
function notExercised({ tool }: RecoveredUnattendedParameters): MissingEvidence {
  return { kind: 'not-exercised', message: `no call of ${quoted(tool)} failed, so nothing is shown of recovery` };
}

function attempts({ given, tries }: Judged): readonly Finding[] {
  const { max, source, cap } = given.attempts;
  if (tries.length <= max) return [];
  const args = { tool: quoted(given.tool), max, source, attempts: tries.length, atCap: tries.length >= cap };
  return [finding('attempts-over-bound', { arguments: args, spans: spansOf(tries.slice(max)) })];
}

function store({ view, given, events, tries, sessions }: Judged): readonly Finding[] {
  if (sessions > 1) return [];
  const found: Finding[] = [];
  const effects = effectsOf(events);
  const balance = effects === null ? undefined : effectBalance(effects);
  const standing = balance?.standing.get(given.tool) ?? 0;
  if (balance !== undefined && (standing !== 1 || balance.duplicate)) {
    const args = { tool: quoted(given.tool), standing, duplicate: balance.duplicate };
    found.push(finding('not-one-effect', { arguments: args, spans: spansOf(tries) }));
  }
  if (endStateOf(events) === false) found.push(finding('end-state-wrong', { arguments: {}, spans: [] }));
  if (events.has('evidence.constraint')) found.push(finding('constraint-broken', { arguments: {}, spans: [] }));
  if (effectShown(view.run, tries, given.verify) === 'no') {
    const args = { tool: quoted(given.tool), attempts: tries.length };
    found.push(finding('no-ok-result', { arguments: args, spans: spansOf(tries) }));
  }
  return found;
}

/** An effect of another tool may be the same one under another key. */
function otherEffects({ given, events }: Judged): readonly MissingEvidence[] {
  const effects = effectsOf(events);
  const standing = effects === null ? [] : [...effectBalance(effects).standing];
  const others = standing.flatMap(([tool]) => (tool === given.tool || given.otherEffects.includes(tool) ? [] : [tool]));
  if (others.length === 0) return [];
  const message = `effects of ${listed(others.map(quoted))} stand too, and nothing tells whether they are the same one made again; otherEffects names those that belong to the task`;
  return [{ kind: 'ledger', message }];
}

function people({ view }: Judged): readonly Finding[] {
  const later = view.run.humanInputs.filter((input) => isLater(input, view));
  if (later.length === 0) return [];
  return [finding('human-input', { arguments: { inputs: later.length }, spans: later.flatMap(({ spans }) => spans) })];
}

function repair({ view, given, events }: Judged): readonly Finding[] {
  const evidence = repairEvidence(view, events, given.tool);
  const told = [
    ...(given.normalisers.length > 0 ? [`${counted(given.normalisers.length, 'layer')} declared`] : []),
    ...((evidence.changedArguments ?? 0) > 0
      ? [`arguments changed on the way in ${counted(evidence.changedArguments ?? 0, 'call')}`]
      : []),
    ...(evidence.canaryRejected === false ? ['a call that must be refused was accepted'] : []),
    ...(evidence.repairSpans.length > 0 ? [`spans that repair: ${listed(evidence.repairSpans.map(quoted))}`] : []),
  ];
  return told.length === 0 ? [] : [finding('repair-layer', { arguments: { told }, spans: [] })];
}

function lacking(judged: Judged): readonly MissingEvidence[] {
  const { view, given, events, tries, sessions } = judged;
  const evidence = repairEvidence(view, events, given.tool);
  return [
    ...(sessions > 1 ? [{ kind: 'ledger', message: sessionsMixed(sessions) }] : []),
    ...(effectsOf(events) === null
      ? [{ kind: 'ledger', message: 'what the tool changed is not in the trace: a ledger of effects would show it' }]
      : []),
    ...(events.has('evidence.harness')
      ? [{ kind: 'harness', message: 'the harness failed, so that ledger and store say nothing' }]
      : []),
    ...(endStateOf(events) === null ? [{ kind: 'end-state', message: 'nothing checked the store at the end' }] : []),
    ...(tries.some(({ outcome }) => outcome === 'succeeded') || !tries.some(({ outcome }) => outcome === 'ended')
      ? []
      : [{ kind: 'content', message: 'a call ended and its result is not in the trace; content mode would show it' }]),
    ...otherEffects(judged),
    ...lackingVerification(judged),
    ...lackingRepair(evidence),
    ...laterMessages(view.run),
    ...unreadMessages(view.run),
    ...undecidedAbsence(view, ['modelCalls', 'toolCalls', 'toolNames', 'failedToolCalls', 'content', 'humanInputs']),
  ];
}

function lackingVerification({ view, given, tries }: Judged): readonly MissingEvidence[] {
  if (tries.length === 0 || effectShown(view.run, tries, given.verify) !== 'unknown') return [];
  const message = `no call of ${quoted(given.tool)} gave its result, and whether the read after it was of the same thing cannot be told; arguments of both would show it`;
  return [{ kind: 'content', message }];
}

function lackingRepair({ changedArguments, canaryRejected }: RepairEvidence): readonly MissingEvidence[] {
  const missing: MissingEvidence[] = [];
  if (changedArguments === null) {
    const message =
      'whether calls reach the validator unchanged cannot be told: content mode and call ids would show it';
    missing.push({ kind: 'content', message });
  }
  if (canaryRejected === null) {
    const message = 'no canary was sent to the dispatch: sendCanary would show that a bad call is refused';
    missing.push({ kind: 'canary', message });
  }
  return missing;
}

function spansOf(calls: readonly ToolCall[]): ToolCall['spans'] {
  return calls.flatMap(({ spans }) => spans.slice(0, 1));
}

export const recoveredUnattended: Assertion<RecoveredUnattendedParameters> = {
  id: 'RecoveredUnattended',
  summary: 'After an error the agent reached its goal by itself, within a bound, with exactly one effect.',
  needs:
    'a whole trace in which model and tool calls, failed ones too, are shown, with content; the ledger of effects, a check of the end state and a canary',
  parameters,
  findings,
  evaluate,
};
