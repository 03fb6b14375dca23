import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Target, TargetSession, TrialTicket } from '../target/target.ts';
import { traceparent } from '../target/traceparent.ts';
import { beforeDeadline } from './deadline.ts';
import type { NewId } from './random-id.ts';

/** One turn, as the suite plans it. */
export interface StepPlan {
  readonly name: string;
  readonly input: unknown;
  readonly conversation: string;
}

export interface DriveTimeouts {
  /** All steps together. At its end the agent has failed: it was acting and did not come to an end. */
  readonly trialMs: number;
  /** Opening, draining and closing, each. At its end the harness has failed: an error, no finding. */
  readonly harnessMs: number;
}

export interface DrivenStep {
  readonly name: string;
  readonly conversation: string;
  /** The span that stands for this step; the target's spans of this step have it as their parent. */
  readonly spanId: string;
  readonly state: 'answered' | 'timedOut' | 'broken' | 'notRun';
  /** Content: for a semantic judge, never for a report. */
  readonly reply: unknown;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
}

/** Why nothing can be said of the agent. */
export interface TrialProblem {
  readonly status: 'error' | 'unavailable';
  readonly code: string;
  readonly message: string;
}

/** What happened, and nothing of what should have. */
export interface Driven {
  readonly steps: readonly DrivenStep[];
  readonly timedOut: boolean;
  readonly problem: TrialProblem | null;
}

export interface DriveOptions {
  readonly target: Target;
  readonly ticket: TrialTicket;
  readonly steps: readonly StepPlan[];
  readonly timeouts: DriveTimeouts;
  readonly newId: NewId;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when the target is idle and still open: the moment to fetch what it has told so far. */
  readonly beforeClose: () => Promise<void>;
}

/** Opens a fresh target, asks its steps, drains and closes it. Never throws for what the target does. */
export async function driveTarget(options: DriveOptions): Promise<Driven> {
  const { target, ticket, timeouts, beforeClose } = options;
  const problems: TrialProblem[] = [];
  const guard = async <Result>(
    what: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      const done = await beforeDeadline(timeouts.harnessMs, ticket.signal, work);
      if (done.inTime) return done.result;
      problems.push(lateProblem(`${what} of the target did not end within ${timeouts.harnessMs} ms`));
    } catch (error) {
      problems.push(problemOf(error));
    }
    return undefined;
  };
  const session = await guard('the opening', () => target.open(ticket));
  if (session === undefined) return { steps: notRun(options, 0), timedOut: false, problem: problems[0] ?? null };
  const asked = await askSteps(session, options);
  if (asked.problem !== null) problems.push(asked.problem);
  if (!asked.timedOut && problems.length === 0) await guard('the drain', async (signal) => session.drain?.(signal));
  await beforeClose();
  await guard('the close', async () => session.close?.());
  return { ...asked, problem: worst(problems) };
}

async function askSteps(session: TargetSession, options: DriveOptions): Promise<Driven> {
  const { steps, ticket, timeouts, newId, now } = options;
  const driven: DrivenStep[] = [];
  let problem: TrialProblem | null = null;
  const finished = await beforeDeadline(timeouts.trialMs, ticket.signal, async (signal) => {
    for (const [index, plan] of steps.entries()) {
      const { name, input, conversation } = plan;
      const spanId = newId(8);
      const started = { name, conversation, spanId, startUnixMs: now() };
      driven.push({ ...started, state: 'timedOut', reply: undefined, endUnixMs: started.startUnixMs });
      const parent = traceparent(ticket.traceId, spanId);
      try {
        const reply = await session.step({ index, conversation, input, traceparent: parent, signal });
        if (signal.aborted) return;
        driven[index] = { ...started, state: 'answered', reply, endUnixMs: now() };
      } catch (error) {
        if (signal.aborted) return;
        problem = problemOf(error);
        driven[index] = { ...started, state: 'broken', reply: undefined, endUnixMs: now() };
        return;
      }
    }
  });
  // A copy: a step that was left behind must not write into the result.
  const seen = driven.map((step) => (step.state === 'timedOut' ? { ...step, endUnixMs: now() } : step));
  return { steps: [...seen, ...notRun(options, seen.length)], timedOut: !finished.inTime, problem };
}

function notRun({ steps, now }: DriveOptions, from: number): DrivenStep[] {
  return steps.slice(from).map(({ name, conversation }) => {
    const at = now();
    return { name, conversation, spanId: '', state: 'notRun', reply: undefined, startUnixMs: at, endUnixMs: at };
  });
}

function problemOf(error: unknown): TrialProblem {
  if (!OtelEvalError.is(error)) {
    return { status: 'error', code: 'OTEL_EVAL_INTERNAL', message: 'the target could not be driven' };
  }
  const status = error.code === 'OTEL_EVAL_UNAVAILABLE' ? 'unavailable' : 'error';
  return { status, code: error.code, message: error.message };
}

function lateProblem(message: string): TrialProblem {
  return { status: 'error', code: 'OTEL_EVAL_TARGET', message };
}

function worst(problems: readonly TrialProblem[]): TrialProblem | null {
  return problems.find(({ status }) => status === 'error') ?? problems[0] ?? null;
}
