import { z } from 'zod';
import { faultEventsOf, wordIn } from '../src/faults/read/fault-events.ts';
import { faultedRunOf } from '../src/faults/read/faulted-run-of.ts';
import { type RecoveryParameters, recoveryKeys, recoveryOptions } from '../src/faults/read/recovery-parameters.ts';
import { recoveryRemarks } from '../src/faults/read/recovery-remarks.ts';
import { type Classification, type RecoveryLabel, recoveryLabels } from '../src/faults/recovery/classification.ts';
import { classify } from '../src/faults/recovery/classify.ts';
import { type ControlRuns, controlAgreement, controlStatus, settled } from '../src/faults/recovery/control-run.ts';
import type { FaultedRun } from '../src/faults/recovery/faulted-run.ts';
import type { Assertion, View } from '../src/verdict/assertion.ts';
import { isHeap, runsNotToldApart } from '../src/verdict/boundary.ts';
import { conclude } from '../src/verdict/conclude.ts';
import { groundRemarks } from '../src/verdict/decidable.ts';
import { findingMaker, sentence } from '../src/verdict/finding.ts';
import { laterMessages } from '../src/verdict/later-messages.ts';
import { spansExamined } from '../src/verdict/run-spans.ts';
import { undecidedAbsence } from '../src/verdict/sight.ts';
import type { Finding, MissingEvidence, Verdict } from '../src/verdict/verdict.ts';
import { listed } from '../src/verdict/wording.ts';

export interface RecoveryClassifiedParameters extends RecoveryParameters {
  readonly expect: readonly RecoveryLabel[];
  /** From a runner, which knows what it has planned and has made control runs; no suite can write it. */
  readonly planned?: PlannedRow | undefined;
}

/** What a faulted trial was to meet. */
export interface PlannedRow {
  /** Hash of the plan. */
  readonly plan: string;
  readonly row: string;
  readonly controls: ControlRuns;
}

const parameters: z.ZodType<RecoveryClassifiedParameters> = z
  .strictObject({
    expect: z
      .array(z.enum(['recovered', 'unnoticed_success', 'clean_abort', 'failed']))
      .min(1)
      .default(['recovered', 'clean_abort'])
      .describe('Labels that pass. Default: recovered and clean_abort.'),
    ...recoveryKeys,
  })
  .describe('What the agent made of a fault: recovered, unnoticed success, clean abort or failed.');

const findings = {
  'unexpected-label': sentence<{
    wanted: readonly string[];
    label: string;
    reasons: readonly string[];
    reaction: string;
    fault: string;
  }>({
    expected: ({ wanted }) => `a run that is ${listed(wanted).replace(' and ', ' or ')}`,
    observed: ({ label, reasons, reaction, fault }) =>
      `${label}${reasons.length === 0 ? '' : ` (${listed(reasons)})`} after ${fault}, reaction ${reaction}`,
  }),
};
const finding = findingMaker('RecoveryClassified', findings);

function evaluate(view: View, given: RecoveryClassifiedParameters): Verdict {
  const examined = spansExamined(view.run);
  if (isHeap(view.run)) return conclude({ examined, missing: [runsNotToldApart(view.run)] });
  const run = faultedRunOf(view, recoveryOptions(given), given.planned);
  const found = classified(view, given, run);
  const missing = lacking(view, found);
  const wrong = found.label !== null && !given.expect.includes(found.label) && missing.length === 0;
  return {
    ...conclude({
      examined,
      findings: wrong ? [unexpected(view, run, found, given)] : [],
      missing,
      remarks: [...recoveryRemarks(run, found, given.budget), ...groundRemarks(view)],
    }),
    facts: { ...factsOf(run, found), ...controlFacts(given.planned?.controls) },
  };
}

/** Against each control; calls that a suite declares by hand stand for those of all. */
function classified(view: View, given: RecoveryClassifiedParameters, run: FaultedRun): Classification {
  const { planned, ...declared } = given;
  const byHand = classify(run);
  if (planned === undefined) return byHand;
  if (!isArmed(view, planned)) return notArmed(byHand);
  const [first = byHand, ...others] = planned.controls.runs.map(({ calls }) =>
    given.control === undefined
      ? classify(faultedRunOf(view, recoveryOptions({ ...declared, control: calls }), planned))
      : byHand,
  );
  return settled([first, ...others], planned.controls);
}

function isArmed({ run }: View, { plan, row }: PlannedRow): boolean {
  const armed = faultEventsOf(run).get('fault.armed') ?? [];
  return armed.some((event) => wordIn(event, 'plan') === plan && wordIn(event, 'row') === row);
}

/** Whatever failed in such a run, it was not what was planned. */
function notArmed(found: Classification): Classification {
  const why =
    'no receipt says that this row was armed: the app opens no fault session for the trial (openFaultSession)';
  const status = found.status === 'harness_error' ? 'harness_error' : 'missing';
  return { ...found, status, label: null, reasons: [], possible: [], missing: [why] };
}

/** A label rests on what is not there: another call, another effect. */
function lacking(view: View, found: Classification): readonly MissingEvidence[] {
  const kind = found.status === 'undecided' ? 'recovery' : `fault-${found.status.replace('_', '-')}`;
  const own = found.status === 'classified' ? [] : whyNot(found).map((message) => ({ kind, message }));
  if (found.status === 'harness_error') return own;
  const attended = found.status === 'classified' ? laterMessages(view.run) : [];
  return [...own, ...attended, ...undecidedAbsence(view, ['modelCalls', 'toolCalls', 'toolNames', 'failedToolCalls'])];
}

function whyNot({ status, missing, possible }: Classification): readonly string[] {
  if (status !== 'undecided') return missing.map((why) => `${status}: ${why}`);
  const open = `the evidence allows ${listed(possible)}`;
  return missing.length === 0 ? [open] : missing.map((why) => `${open}; ${why}`);
}

function unexpected(
  view: View,
  run: FaultedRun,
  found: Classification,
  { expect }: RecoveryClassifiedParameters,
): Finding {
  const faulted = run.calls.find(({ place }) => place === 'faulted');
  const tool = faulted === undefined ? '' : ` on "${faulted.tool}"`;
  const spans = view.run.toolCalls.find(({ name }) => name === faulted?.tool)?.spans.slice(0, 1) ?? [];
  return finding('unexpected-label', {
    arguments: {
      wanted: recoveryLabels.filter((label) => expect.includes(label)),
      label: found.label ?? '',
      reasons: found.reasons,
      reaction: found.reaction,
      fault: `${run.fault?.kind ?? 'no fault'}${tool}`,
    },
    spans,
  });
}

/** For breakdowns beside the success rate; never inside it. */
function factsOf({ fault }: FaultedRun, found: Classification): NonNullable<Verdict['facts']> {
  return {
    status: found.status,
    label: found.label,
    level: found.level,
    reasons: found.reasons,
    possible: found.possible,
    reaction: found.reaction,
    flags: found.flags,
    kind: fault?.kind ?? null,
    point: fault?.point ?? null,
  };
}

function controlFacts(controls: ControlRuns | undefined): NonNullable<Verdict['facts']> {
  if (controls === undefined) return {};
  const agreement = controlAgreement(controls);
  return { control: controlStatus(controls), controlRuns: controls.runs.length, controlAgreement: agreement };
}

export const recoveryClassified: Assertion<RecoveryClassifiedParameters> = {
  id: 'RecoveryClassified',
  summary: 'What the agent made of a fault: recovered, unnoticed success, clean abort or failed.',
  needs:
    'a whole trace in which model and tool calls, failed ones too, are shown, with content; for an injected fault its receipts and the ledger of effects',
  parameters,
  findings,
  evaluate,
};
