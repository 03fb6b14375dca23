import type { StepCall, TrialTicket } from '../../../src/suite/target/target.ts';

export const traceId = '0af7651916cd43dd8448eb211c80319c';
export const spanId = 'b7ad6b7169203331';

export function ticket(signal: AbortSignal = new AbortController().signal): TrialTicket {
  return { scenario: 'a', trial: 1, seed: 41, runId: 'run-1', traceId, env: { OTEL_EVAL_RUN_ID: 'run-1' }, signal };
}

export function call(input: unknown, signal: AbortSignal = new AbortController().signal): StepCall {
  return { index: 0, conversation: 'main', input, traceparent: `00-${traceId}-${spanId}-01`, signal };
}
