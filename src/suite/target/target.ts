import type { FaultPlan, PlanRow } from '../../faults/plan/fault-plan.ts';

/** What a fresh target is told of its trial. Nothing of what the suite expects: a target must not know the answers. */
export interface TrialTicket {
  readonly scenario: string;
  /** 1-based. */
  readonly trial: number;
  readonly seed: number;
  /** `otel_eval.run.id` of this trial. */
  readonly runId: string;
  /** Every span of the trial carries this trace id, where the target passes the trace context on. */
  readonly traceId: string;
  /** For a target in a process of its own: trace context, exporter endpoint, run id, seed. */
  readonly env: Readonly<Record<string, string>>;
  /** What is to go wrong in this trial: for `openFaultSession`. Absent where nothing is. */
  readonly fault?: { readonly plan: Pick<FaultPlan, 'hash'>; readonly row: PlanRow } | undefined;
  /** Aborted when the trial is over or the run is stopped. */
  readonly signal: AbortSignal;
}

/** One turn of the conversation. */
export interface StepCall {
  /** 0-based. */
  readonly index: number;
  /** The conversation this turn belongs to; steps of one scenario may use several. */
  readonly conversation: string;
  /** As the suite has it: text, or data. */
  readonly input: unknown;
  /** W3C trace context: the parent of all that this step does. */
  readonly traceparent: string;
  /** Aborted at the deadline of the trial. Cancelling is cooperative: a function that ignores it runs on. */
  readonly signal: AbortSignal;
}

/** One target, made for one trial. Only `step` is needed. */
export interface TargetSession {
  /** Answers with the agent's reply. It is content: only a semantic judge sees it, no report holds it. */
  step(call: StepCall): Promise<unknown>;
  /** Waits until background work and span export are done. */
  drain?(signal: AbortSignal): Promise<void>;
  /** Frees what the trial used; called exactly once, also after a failure. */
  close?(): Promise<void>;
}

/** A way to run the agent. `open` is called once per trial, so no trial sees what another left behind. */
export interface Target {
  readonly kind: 'function' | 'command' | 'http';
  /** For reports: command name or address, without arguments, credentials or query. */
  readonly label: string;
  open(ticket: TrialTicket): Promise<TargetSession>;
}
