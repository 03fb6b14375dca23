export { assertTrace, type TraceStatements } from './assert-trace.ts';
export type { CalledToolOptions, StepMatch, StepsOptions, ToolSucceededOptions } from './claims.ts';
export { type RecordOptions, type RecordTracesOptions, recordTraces, type TraceRecorder } from './record-traces.ts';
export type { RecordedRun, StraySpan } from './recorded-run.ts';
