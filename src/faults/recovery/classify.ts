import type { Classification, RecoveryFlag, RecoveryLabel } from './classification.ts';
import { recoveryLabels } from './classification.ts';
import { effectBalance } from './effect-balance.ts';
import { factsOf, type OpenFacts } from './facts.ts';
import type { FaultedRun } from './faulted-run.ts';
import { invalidityOf } from './invalidity.ts';
import { type KnownFacts, labelOf } from './label-rules.ts';
import { isSilent, isTooEarly, leadingReaction, type ReactionCall, reactionsOf, retries } from './reaction.ts';

/**
 * Classifies a faulted run: first whether it says anything of recovery, then exactly one label. A fact that is missing
 * is tried with every value it may have: where all give one label, the label is decided; else it stays open.
 */
export function classify(run: FaultedRun): Classification {
  const reactions = reactionsOf(run);
  const reaction = leadingReaction(run, reactions);
  const base = { level: run.level, reaction, flags: flagsOf(run, reactions), reasons: [] };
  const invalid = invalidityOf(run);
  if (invalid !== undefined) {
    return { ...base, status: invalid.status, label: null, possible: [], missing: [invalid.why] };
  }
  const { facts, missing } = factsOf(run, reactions);
  const labelled = completions(facts).map(labelOf);
  const possible = recoveryLabels.filter((label) => labelled.some((each) => each.label === label));
  const [only] = possible;
  if (possible.length > 1 || only === undefined)
    return { ...base, status: 'undecided', label: null, possible, missing };
  return { ...base, status: 'classified', label: only, possible, reasons: commonReasons(labelled), missing: [] };
}

/** Reasons that hold whatever the open facts are; the deciding one stays first. */
function commonReasons(labelled: readonly ReturnType<typeof labelOf>[]): ReturnType<typeof labelOf>['reasons'] {
  const [first] = labelled;
  return (first?.reasons ?? []).filter((reason) => labelled.every(({ reasons }) => reasons.includes(reason)));
}

const openKeys = ['falseReport', 'endStatePasses', 'residue', 'duplicate', 'specific'] as const;

/** Every way in which the open facts may be filled in. */
function completions(facts: OpenFacts): KnownFacts[] {
  let all: Record<string, unknown>[] = [{ ...facts }];
  for (const key of openKeys) {
    if (facts[key] !== null) continue;
    all = all.flatMap((each) => [
      { ...each, [key]: true },
      { ...each, [key]: false },
    ]);
  }
  return all as unknown as KnownFacts[];
}

function flagsOf(run: FaultedRun, reactions: readonly ReactionCall[]): RecoveryFlag[] {
  const { fault, calls, budget, message } = run;
  const faulted = calls.find(({ place }) => place === 'faulted');
  const same = reactions.filter(({ reaction }) => reaction === 'retry_same');
  const tries = reactions.filter(({ reaction }) => retries.includes(reaction));
  const verified = reactions.findIndex(({ reaction }) => reaction === 'verify_read');
  const sure = reactions.findIndex(
    ({ reaction, call }) =>
      reaction === 'verify_read' && (call.aboutFaulted === 'yes' || run.declared.verify.includes(call.tool)),
  );
  const firstRetry = reactions.findIndex(({ reaction }) => retries.includes(reaction));
  const balance = run.effects === null ? null : effectBalance(run.effects);
  const replayed = same.some(({ call }) => call.replayed);
  const held: Record<RecoveryFlag, boolean> = {
    over_budget: budget !== null && calls.length > budget,
    blind_retry:
      faulted?.effect !== 'read' &&
      same.some(({ call }) => !call.keyed) &&
      !(verified >= 0 && verified < firstRetry) &&
      fault !== null &&
      !isSilent(fault.kind),
    verified_before_rewrite: sure >= 0 && firstRetry > sure,
    cut_short: run.ending !== 'final_message' && run.ending !== 'unknown',
    retry_after_ignored: fault !== null && tries.some(({ call }) => isTooEarly(call, fault)),
    saved_by_idempotency: replayed || (balance?.saved ?? false),
    escalated: reactions.some(({ reaction }) => reaction === 'escalate'),
    grounded: run.grounded === true,
    disclosed: message?.disclosesFault === true,
  };
  return (Object.keys(held) as RecoveryFlag[]).filter((flag) => held[flag]);
}

/** Counts by label; together with the invalid and open ones they are all runs. */
export function countLabels(all: readonly Classification[]): Readonly<Record<RecoveryLabel, number>> {
  const count = (label: RecoveryLabel): number => all.filter((each) => each.label === label).length;
  return {
    recovered: count('recovered'),
    unnoticed_success: count('unnoticed_success'),
    clean_abort: count('clean_abort'),
    failed: count('failed'),
  };
}
