import { approvalMutations } from './approval-held.ts';
import { attachmentsMutations } from './attachments-sent.ts';
import { joinedMutations } from './execution-trace-joined.ts';
import {
  citationsMutations,
  handedOffMutations,
  noHumanInputMutations,
  retrievedMutations,
  stageObservedMutations,
} from './grounding.ts';
import { injectionMutations } from './injection-contained.ts';
import type { MutationTable } from './mutation.ts';
import { notLoopingMutations } from './not-looping.ts';
import { procedureMutations } from './procedure-guarded.ts';
import { unattendedMutations } from './recovered-unattended.ts';
import { recoveryMutations } from './recovery-classified.ts';
import { responseContainsMutations } from './response-contains.ts';
import { resultHeededMutations } from './result-heeded.ts';
import { spansMatchMutations } from './spans-match.ts';
import { toolCalledMutations } from './tool-called.ts';
import { toolOrderMutations } from './tool-order.ts';
import { toolSucceededMutations } from './tool-succeeded.ts';
import { privacyMutations } from './trace-privacy-modes.ts';
import { withinBudgetMutations } from './within-budget.ts';

/** One table for each assertion. */
export const mutationTables: readonly MutationTable[] = [
  joinedMutations,
  toolCalledMutations,
  toolSucceededMutations,
  toolOrderMutations,
  spansMatchMutations,
  withinBudgetMutations,
  responseContainsMutations,
  citationsMutations,
  retrievedMutations,
  handedOffMutations,
  noHumanInputMutations,
  stageObservedMutations,
  attachmentsMutations,
  privacyMutations,
  injectionMutations,
  approvalMutations,
  procedureMutations,
  recoveryMutations,
  unattendedMutations,
  resultHeededMutations,
  notLoopingMutations,
];
