import { displayName } from '../../trace/display-name.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { EvidenceSource, TrialChannel } from '../evidence/evidence-source.ts';
import type { Suite } from '../suite.ts';
import type { Target, TrialTicket } from '../target/target.ts';
import { traceparent } from '../target/traceparent.ts';
import { type Driven, driveTarget, type TrialProblem } from '../trial/drive-target.ts';
import { type HarnessTracing, inPhase } from '../trial/harness-tracing.ts';
import type { PlannedTrial } from '../trial/planned-trial.ts';
import type { NewId } from '../trial/random-id.ts';
import { type Collected, type TrialIds, trialEvidence } from '../trial/trial-evidence.ts';
import { askJudges } from './ask-judges.ts';
import { judgeSteps, judgeTrial } from './judge-trial.ts';
import type { PlannedScenario } from './run-plan.ts';
import type { TrialOutcome } from './trial-outcome.ts';

/** What running a trial touches of the outside. */
export interface TrialPorts {
  readonly suite: Suite;
  readonly target: Target;
  readonly evidence: EvidenceSource;
  readonly acceptsSettled: boolean;
  readonly digest: (value: unknown) => string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: NewId;
  /** Of opening, draining and closing, each. */
  readonly harnessMs: number;
  readonly signal: AbortSignal;
  /** Absent: the harness writes no spans of its own. */
  readonly tracing?: HarnessTracing;
}

/** One trial from a fresh target to its verdicts. */
export async function runOneTrial(
  scenario: PlannedScenario,
  planned: PlannedTrial,
  ports: TrialPorts,
): Promise<TrialOutcome> {
  const ids: TrialIds = { traceId: ports.newId(16), runId: ports.newId(16), spanId: ports.newId(8) };
  const start = {
    name: 'otel_eval trial',
    attributes: { 'test.suite.name': ports.suite.name ?? '', 'test.case.name': displayName(scenario.scenario.name) },
    links: [{ context: { traceId: ids.traceId, spanId: ids.spanId, traceFlags: 1 } }],
  };
  return inPhase(ports.tracing, start, async (tracing) => {
    const inside = { ...ports, ids, ...(tracing === undefined ? {} : { tracing }) };
    const { driven, collected, problem } = await driveAndCollect(scenario, planned, inside);
    return inPhase(tracing, { name: 'otel_eval judge' }, () =>
      judgeOutcome({ scenario, planned, driven, collected, problem }, inside),
    );
  });
}

interface ToJudge extends DrivenAndCollected {
  readonly scenario: PlannedScenario;
  readonly planned: PlannedTrial;
}

async function judgeOutcome(
  { scenario, planned, driven, collected, problem }: ToJudge,
  ports: TrialPorts & { readonly ids: TrialIds },
): Promise<TrialOutcome> {
  const { ids } = ports;
  const { services, absentParentOf = [] } = scenario.scenario;
  const evidence = trialEvidence(ids, driven.steps, collected, { services, absentParentOf });
  const options = { source: ports.evidence.kind, acceptsSettled: ports.acceptsSettled, digest: ports.digest };
  const judged = judgeTrial(scenario, evidence, options);
  return {
    planned,
    scenario,
    ids,
    source: ports.evidence.kind,
    timedOut: driven.timedOut,
    problem,
    judged,
    joins: evidence.joins,
    strays: evidence.strays,
    steps: judgeSteps(scenario, driven, evidence, options),
    judges: await askJudges(scenario, driven, judged, {
      suite: ports.suite,
      timeoutMs: scenario.timeoutMs,
      signal: ports.signal,
    }),
  };
}

interface DrivenAndCollected {
  readonly driven: Driven;
  readonly collected: Collected;
  readonly problem: TrialProblem | null;
}

const nothing: Collected = { traces: [], ownChannel: false };

async function driveAndCollect(
  scenario: PlannedScenario,
  planned: PlannedTrial,
  ports: TrialPorts & { readonly ids: TrialIds },
): Promise<DrivenAndCollected> {
  const { ids, target, evidence } = ports;
  let channel: TrialChannel | undefined;
  let collected = nothing;
  let lost: TrialProblem | null = null;
  const collect = (tracing = ports.tracing): Promise<void> =>
    inPhase(tracing, { name: 'otel_eval collect' }, async () => {
      try {
        collected = (await channel?.collect(ports.signal)) ?? nothing;
      } catch (error) {
        lost = evidenceProblem(error);
      }
    });
  try {
    const opened = await inPhase(ports.tracing, { name: 'otel_eval open' }, () => evidence.open(ids));
    channel = opened;
    const driven = await inPhase(ports.tracing, { name: 'otel_eval drive' }, (tracing) =>
      driveTarget({
        target,
        ticket: ticketOf(scenario, planned, { ids, channel: opened, signal: ports.signal }),
        steps: scenario.scenario.run?.steps ?? [],
        timeouts: { trialMs: scenario.timeoutMs, harnessMs: ports.harnessMs },
        newId: ports.newId,
        now: ports.now,
        beforeClose: async () => (opened.afterClose ? undefined : collect(tracing)),
      }),
    );
    if (opened.afterClose) await collect();
    return { driven, collected, problem: driven.problem ?? lost };
  } catch (error) {
    return { driven: { steps: [], timedOut: false, problem: null }, collected, problem: evidenceProblem(error) };
  } finally {
    await channel?.close().catch(() => {});
  }
}

function ticketOf(
  planned: PlannedScenario,
  { scenario, index, seed }: PlannedTrial,
  { ids, channel, signal }: { readonly ids: TrialIds; readonly channel: TrialChannel; readonly signal: AbortSignal },
): TrialTicket {
  const { fault } = planned.scenario.run ?? {};
  const told = fault === undefined ? undefined : { plan: fault.plan, row: fault.row };
  const env = {
    ...channel.env,
    TRACEPARENT: traceparent(ids.traceId, ids.spanId),
    OTEL_EVAL_RUN_ID: ids.runId,
    OTEL_EVAL_TRIAL: String(index),
    OTEL_EVAL_SEED: String(seed),
    ...(told === undefined ? {} : { OTEL_EVAL_FAULT: JSON.stringify(told) }),
  };
  return { scenario, trial: index, seed, runId: ids.runId, traceId: ids.traceId, env, fault: told, signal };
}

function evidenceProblem(error: unknown): TrialProblem {
  if (!OtelEvalError.is(error))
    return { status: 'error', code: 'OTEL_EVAL_INTERNAL', message: 'the traces could not be fetched' };
  const status = error.code === 'OTEL_EVAL_UNAVAILABLE' ? 'unavailable' : 'error';
  return { status, code: error.code, message: error.message };
}
