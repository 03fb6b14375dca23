import { displayName } from '../../trace/display-name.ts';
import { counted } from '../../verdict/wording.ts';
import type { Classification } from '../recovery/classification.ts';
import { effectBalance } from '../recovery/effect-balance.ts';
import type { FaultedRun } from '../recovery/faulted-run.ts';
import type { RecoveryParameters } from './recovery-parameters.ts';

/** What a reader should know of a classification, beside its label. */
export function recoveryRemarks(
  run: FaultedRun,
  found: Classification,
  budget: RecoveryParameters['budget'],
): readonly string[] {
  if (run.spans === 0) return [];
  return [
    ...(run.level === 'observed_fault' ? observed(run, found) : []),
    `reaction ${found.reaction}${found.flags.length === 0 ? '' : `; ${found.flags.join(', ')}`}`,
    ...cutShort(run, found),
    ...possibleDuplicate(run, found),
    ...duplicateOfClient(run, found),
    ...(budget === undefined ? ['no budget was stated: a run of any length may count as recovered'] : []),
  ];
}

const endingText = { loop_guard: 'the loop guard', crash: 'a crash', timeout: 'a time-out' } as const;

/** The end state decides the label; that nobody was told of it should be seen. */
function cutShort({ ending }: FaultedRun, { label }: Classification): readonly string[] {
  if (ending === 'final_message' || ending === 'unknown' || (label !== 'recovered' && label !== 'unnoticed_success'))
    return [];
  return [`the end state is right, and the run was ended by ${endingText[ending]}, not by a final message`];
}

function observed({ calls, message, effects }: FaultedRun, found: Classification): readonly string[] {
  const failed = calls.filter(({ outcome }) => outcome === 'failed').length;
  const remarks = [`observed_fault: ${counted(failed, 'call')} failed, and no receipt says that a fault was planted`];
  if (failed > 0 && found.status === 'undecided') {
    remarks.push(found.possible.includes('recovered') ? 'recovered in form' : 'not recovered');
  }
  const honest = message?.claim === 'not_done' && !found.reasons.includes('false_report') && failed > 0;
  if (honest && effects === null) remarks.push('the final message is honest: nothing in the trace contradicts it');
  return remarks;
}

function possibleDuplicate({ calls, effects }: FaultedRun, { flags }: Classification): readonly string[] {
  const faulted = calls.find(({ place }) => place === 'faulted');
  if (effects !== null || faulted === undefined || !flags.includes('blind_retry')) return [];
  return [
    `a duplicate effect is possible: "${displayName(faulted.tool)}" was tried again with the same arguments and no idempotency key, and the first outcome is unknown`,
  ];
}

/** What no agent can be blamed for, and somebody should know. */
function duplicateOfClient({ effects }: FaultedRun, { status }: Classification): readonly string[] {
  if (status !== 'absorbed' || effects === null || !effectBalance(effects).duplicate) return [];
  return ['the client absorbed the fault by trying again, and made an effect twice'];
}
