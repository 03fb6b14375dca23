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
  readonly preset?: 'strict' | 'general' | undefined;
  /** Default 60,000. Cancelling is cooperative: work that does not heed its signal runs on. */
  readonly timeoutMs?: number | undefined;
  /** Runs work and hands over what it left in the trace. */
  readonly record: <Value>(work: () => Promise<Value>) => Promise<{ readonly view: View; readonly value: Value }>;
}

export type TrialOutcome227 =
  | { readonly status: 'judged'; readonly report: Core227Report; readonly unclean: boolean }
  | { readonly status: 'notApplicable'; readonly reason: string };

const defaultTimeoutMs = 60_000;

/** One trial of one route, with fresh model, tools and ledger. */
export async function runCore227Trial<Model>(
  subject: Core227Subject<Model>,
  { evidenceLevel, preset, timeoutMs = defaultTimeoutMs, record }: RunTrialOptions,
): Promise<TrialOutcome227> {
  requireControls(subject.controls);
  const tools = valueTools();
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
  return { status: 'judged', report, unclean };
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

export interface PairClaim {
  /** `causal` only where the prompts are the same and each route ran often enough. */
  readonly claim: 'exploratory' | 'route_comparison' | 'causal';
  readonly why: string;
}

/** What two routes side by side may be said to show. */
export function pairClaim(pair: { readonly samePrompts: boolean; readonly trialsPerRoute: number }): PairClaim {
  if (pair.trialsPerRoute < 2)
    return { claim: 'exploratory', why: 'one trial each shows neither superiority nor equivalence' };
  if (!pair.samePrompts)
    return { claim: 'route_comparison', why: 'the routes have different prompts: no cause is shown' };
  return { claim: 'causal', why: 'the same prompts, and only the route differs' };
}
