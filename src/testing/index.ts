export { assertTrace, type TraceStatements } from './assert-trace.ts';
export type {
  BudgetBounds,
  CalledToolOptions,
  CallMatch,
  ContentOutOptions,
  StepMatch,
  StepsOptions,
  ToolSucceededOptions,
  WantedArgument,
} from './claims.ts';
export { type CollectTraceOptions, collectTrace, type RunChoice } from './collect-trace.ts';
export type { TraceSource } from './collected-from.ts';
export { type RecordOptions, type RecordTracesOptions, recordTraces, type TraceRecorder } from './record-traces.ts';
export type { CollectedSource, RecordedRun, RunEvidence, StraySpan } from './recorded-run.ts';
