import { type ApprovalHeldParameters, approvalHeld as approvalHeldAssertion } from '../assertions/approval-held.ts';
import {
  type CitationsSupportedParameters,
  citationsSupported as citationsSupportedAssertion,
} from '../assertions/citations-supported.ts';
import {
  type ExecutionTraceJoinedParameters,
  executionTraceJoined as executionTraceJoinedAssertion,
} from '../assertions/execution-trace-joined.ts';
import { type HandedOffParameters, handedOff as handedOffAssertion } from '../assertions/handed-off.ts';
import {
  type InjectionContainedParameters,
  injectionContained as injectionContainedAssertion,
} from '../assertions/injection-contained.ts';
import { type NoHumanInputParameters, noHumanInput as noHumanInputAssertion } from '../assertions/no-human-input.ts';
import { type NotLoopingParameters, notLooping as notLoopingAssertion } from '../assertions/not-looping.ts';
import {
  type ProcedureGuardedParameters,
  procedureGuarded as procedureGuardedAssertion,
} from '../assertions/procedure-guarded.ts';
import {
  type RecoveredUnattendedParameters,
  recoveredUnattended as recoveredUnattendedAssertion,
} from '../assertions/recovered-unattended.ts';
import {
  type RecoveryClassifiedParameters,
  recoveryClassified as recoveryClassifiedAssertion,
} from '../assertions/recovery-classified.ts';
import {
  type ResponseContainsParameters,
  responseContains as responseContainsAssertion,
} from '../assertions/response-contains.ts';
import { type ResultHeededParameters, resultHeeded as resultHeededAssertion } from '../assertions/result-heeded.ts';
import { type RetrievedParameters, retrieved as retrievedAssertion } from '../assertions/retrieved.ts';
import { type SpansMatchParameters, spansMatch as spansMatchAssertion } from '../assertions/spans-match.ts';
import { type StageObservedParameters, stageObserved as stageObservedAssertion } from '../assertions/stage-observed.ts';
import { type ToolCalledParameters, toolCalled as toolCalledAssertion } from '../assertions/tool-called.ts';
import { toolOrder as toolOrderAssertion } from '../assertions/tool-order.ts';
import { type ToolSucceededParameters, toolSucceeded as toolSucceededAssertion } from '../assertions/tool-succeeded.ts';
import {
  type TracePrivacyModesParameters,
  tracePrivacyModes as tracePrivacyModesAssertion,
} from '../assertions/trace-privacy-modes.ts';
import { type WithinBudgetParameters, withinBudget as withinBudgetAssertion } from '../assertions/within-budget.ts';
import { type AssertionFactory, defineAssertion } from './suite/define-assertion.ts';
import type { Assertion } from './verdict/assertion.ts';
import type { CallOrder } from './verdict/call-order.ts';

// One factory for each assertion, so that a suite in TypeScript has types for its parameters.
export const approvalHeld: AssertionFactory<ApprovalHeldParameters> = defineAssertion(approvalHeldAssertion);
export const citationsSupported: AssertionFactory<CitationsSupportedParameters> =
  defineAssertion(citationsSupportedAssertion);
/** What is not given has its default: one trace, its spans reachable, no projection. */
export const executionTraceJoined: AssertionFactory<Partial<ExecutionTraceJoinedParameters>> = defineAssertion(
  executionTraceJoinedAssertion as Assertion<Partial<ExecutionTraceJoinedParameters>>,
);
export const handedOff: AssertionFactory<HandedOffParameters> = defineAssertion(handedOffAssertion);
export const injectionContained: AssertionFactory<InjectionContainedParameters> =
  defineAssertion(injectionContainedAssertion);
export const noHumanInput: AssertionFactory<NoHumanInputParameters> = defineAssertion(noHumanInputAssertion);
/** What is not given has its default: three rounds, of six calls at most. */
export const notLooping: AssertionFactory<Partial<NotLoopingParameters>> = defineAssertion(
  notLoopingAssertion as Assertion<Partial<NotLoopingParameters>>,
);
export const recoveredUnattended: AssertionFactory<RecoveredUnattendedParameters> =
  defineAssertion(recoveredUnattendedAssertion);
export const procedureGuarded: AssertionFactory<ProcedureGuardedParameters> =
  defineAssertion(procedureGuardedAssertion);
export const recoveryClassified: AssertionFactory<RecoveryClassifiedParameters> =
  defineAssertion(recoveryClassifiedAssertion);
export const responseContains: AssertionFactory<ResponseContainsParameters> =
  defineAssertion(responseContainsAssertion);
export const resultHeeded: AssertionFactory<ResultHeededParameters> = defineAssertion(resultHeededAssertion);
export const retrieved: AssertionFactory<RetrievedParameters> = defineAssertion(retrievedAssertion);
export const spansMatch: AssertionFactory<SpansMatchParameters> = defineAssertion(spansMatchAssertion);
export const stageObserved: AssertionFactory<StageObservedParameters> = defineAssertion(stageObservedAssertion);
export const toolCalled: AssertionFactory<ToolCalledParameters> = defineAssertion(toolCalledAssertion);
export const toolOrder: AssertionFactory<CallOrder> = defineAssertion(toolOrderAssertion);
export const toolSucceeded: AssertionFactory<ToolSucceededParameters> = defineAssertion(toolSucceededAssertion);
/** What is not given has its default: metadata mode, nothing allowed beyond known metadata. */
export const tracePrivacyModes: AssertionFactory<Partial<TracePrivacyModesParameters>> = defineAssertion(
  tracePrivacyModesAssertion as Assertion<Partial<TracePrivacyModesParameters>>,
);
export const withinBudget: AssertionFactory<WithinBudgetParameters> = defineAssertion(withinBudgetAssertion);
