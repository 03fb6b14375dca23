import type { Assertion } from '../src/verdict/assertion.ts';
import { approvalHeld } from './approval-held.ts';
import { attachmentsSent } from './attachments-sent.ts';
import { citationsSupported } from './citations-supported.ts';
import { executionTraceJoined } from './execution-trace-joined.ts';
import { handedOff } from './handed-off.ts';
import { injectionContained } from './injection-contained.ts';
import { noHumanInput } from './no-human-input.ts';
import { notLooping } from './not-looping.ts';
import { procedureGuarded } from './procedure-guarded.ts';
import { recoveredUnattended } from './recovered-unattended.ts';
import { recoveryClassified } from './recovery-classified.ts';
import { responseContains } from './response-contains.ts';
import { resultHeeded } from './result-heeded.ts';
import { retrieved } from './retrieved.ts';
import { spansMatch } from './spans-match.ts';
import { stageObserved } from './stage-observed.ts';
import { toolCalled } from './tool-called.ts';
import { toolOrder } from './tool-order.ts';
import { toolSucceeded } from './tool-succeeded.ts';
import { tracePrivacyModes } from './trace-privacy-modes.ts';
import { withinBudget } from './within-budget.ts';

/** Every assertion, in the order in which docs list them. To add one: a file, a line here, a fixture folder. */
export const assertions: readonly Assertion[] = [
  executionTraceJoined,
  toolCalled,
  toolSucceeded,
  toolOrder,
  spansMatch,
  withinBudget,
  responseContains,
  citationsSupported,
  retrieved,
  handedOff,
  noHumanInput,
  stageObserved,
  attachmentsSent,
  tracePrivacyModes,
  injectionContained,
  approvalHeld,
  procedureGuarded,
  recoveryClassified,
  recoveredUnattended,
  resultHeeded,
  notLooping,
];
