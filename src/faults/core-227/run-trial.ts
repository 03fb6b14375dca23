import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { View } from '../../verdict/assertion.ts';
import { type ModelControls, RequestGuard, requireControls } from './preflight.ts';
import { type Core227Report, core227Report, type TrialEvidenceLevel } from './trial-report.ts';
import { type ValueTools, valueTools } from './value-tools.ts';

/** An agent under test: a factory that gets a fresh model and fresh tools, once per trial. */
export interface Core227Subject<Model> {
  /** Name of the agent span that stands for the route. */
  readonly route: string;
  readonly controls: ModelControls;
  /** Makes a fresh provider with its state; makes no request. */
  createModel(guard: RequestGuard): Model;
  /** A route that the installed version refuses to construct throws here: not evaluable, which is no failure. */
  construct(model: Model, tools: ValueTools): (signal: AbortSignal) => Promise<unknown>;
  /** Waits for background work. */
  drain?(): Promise<void>;
}

export interface RunTrialOptions {
  readonly evidenceLevel: TrialEvidenceLevel;
  /** Of live levels: who let this provider be asked with this configuration, and when. Without it none is asked. */
  readonly approvedBy?: string | undefined;
  /** What the failing read says; the same for all trials but in a sweep over wordings. */
  readonly errorMessage?: string | undefined;
  readonly preset?: 'strict' | 'general' | undefined;
  /** Default 60,000. Cancelling is cooperative: work that does not heed its signal runs on. */
  readonly timeoutMs?: number | undefined;
  /** Runs work and hands over what it left in the trace. */
  readonly record: <Value>(work: () => Promise<Value>) => Promise<{ readonly view: View; readonly value: Value }>;
}

export type TrialOutcome227 =
  | {
      readonly status: 'judged';
      readonly report: Core227Report;
      /** At its timeout the agent did not stop: it may still be at work. */
      readonly unclean: boolean;
      /** What a trial cannot vouch for, whatever came of it. */
      readonly limits: readonly string[];
    }
  /** Live, and no provider is approved: nothing was made, read or asked, and nobody knows. */
  | { readonly status: 'unknown'; readonly reason: string }
  | { readonly status: 'notApplicable'; readonly reason: string };

const defaultTimeoutMs = 60_000;

/** Of every trial: it holds no more than this of what it left behind. */
const limits: readonly string[] = [
  'cancelling is cooperative: work that does not heed its AbortSignal runs on after the timeout',
  'clients, and background work beyond drain(), are the caller’s to end',
];

/**
 * One trial of one route, with fresh model, tools and ledger. What a model and its client need comes from the subject: no
 * environment variable and no file is read, and no other model takes the place of one that cannot be made.
 */
export async function runCore227Trial<Model>(
  subject: Core227Subject<Model>,
  options: RunTrialOptions,
): Promise<TrialOutcome227> {
  const { evidenceLevel, preset, timeoutMs = defaultTimeoutMs, record, errorMessage } = options;
  if (needsApproval(options)) return { status: 'unknown', reason: 'no provider is approved: nothing was asked' };
  requireControls(subject.controls);
  const tools = valueTools({ errorMessage });
  const model = withoutNetwork(() => subject.createModel(new RequestGuard()));
  let agent: (signal: AbortSignal) => Promise<unknown>;
  try {
    agent = subject.construct(model, tools);
  } catch (error) {
    const reason = `the route cannot be constructed: ${error instanceof Error ? error.name : typeof error}`;
    return { status: 'notApplicable', reason };
  }
  const { view, value: unclean } = await record(async () => {
    const left = await withinTime(agent, timeoutMs);
    await subject.drain?.();
    return left;
  });
  const report = core227Report(view.run, { tools, evidenceLevel, preset, route: subject.route });
  return { status: 'judged', report, unclean, limits };
}

function needsApproval({ evidenceLevel, approvedBy = '' }: RunTrialOptions): boolean {
  const isLive = evidenceLevel === 'live_n1' || evidenceLevel === 'live_n';
  return isLive && approvedBy.trim() === '';
}

/** To make a model is no reason to send anything. */
function withoutNetwork<Made>(make: () => Made): Made {
  const send = globalThis.fetch;
  globalThis.fetch = () => {
    throw new OtelEvalError('OTEL_EVAL_TARGET', 'the model made a request while it was constructed');
  };
  try {
    return make();
  } finally {
    globalThis.fetch = send;
  }
}

/** `true` where the agent had to be left behind: it may still be running. */
async function withinTime(agent: (signal: AbortSignal) => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      controller.abort();
      resolve(true);
    }, timeoutMs);
  });
  // What the agent throws is told by its trace.
  const done = agent(controller.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
