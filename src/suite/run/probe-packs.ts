import { type Applicability, applicabilityOf } from '../pack/applicability.ts';
import { manifestOf } from '../pack/manifest.ts';
import type { Pack } from '../pack/pack.ts';
import { traceparent } from '../target/traceparent.ts';
import { driveTarget, type TrialProblem } from '../trial/drive-target.ts';
import type { TrialPorts } from './run-one-trial.ts';

/** What a probe of the target found: which packs apply, or why that could not be told. */
export interface Probe {
  readonly packs: ReadonlyMap<string, Applicability>;
  /** A target that cannot be reached or breaks says nothing of what it lacks: no pack is "not applicable" for it. */
  readonly problem: TrialProblem | null;
}

export interface ProbeOptions {
  readonly packs: readonly Pack[];
  /** What the target is asked, so that it makes a span; absent: it is only opened and closed. */
  readonly input: unknown;
}

/**
 * Opens a target of its own, reads from its trace what it was built with, and closes it before any trial begins. One that
 * makes no span gives no manifest; its packs are tried, and must prove themselves.
 */
export async function probePacks({ packs, input }: ProbeOptions, ports: TrialPorts): Promise<Probe> {
  if (packs.length === 0) return { packs: new Map(), problem: null };
  const ids = { traceId: ports.newId(16), runId: ports.newId(16), spanId: ports.newId(8) };
  const channel = await ports.evidence.open(ids);
  try {
    const parent = traceparent(ids.traceId, ids.spanId);
    const ticket = {
      scenario: 'applicability probe',
      trial: 1,
      seed: 0,
      runId: ids.runId,
      traceId: ids.traceId,
      env: { ...channel.env, TRACEPARENT: parent, OTEL_EVAL_RUN_ID: ids.runId, OTEL_EVAL_PROBE: '1' },
      signal: ports.signal,
    };
    const driven = await driveTarget({
      target: ports.target,
      ticket,
      steps: input === undefined ? [] : [{ name: 'probe', input, conversation: 'probe' }],
      timeouts: { trialMs: ports.harnessMs, harnessMs: ports.harnessMs },
      newId: ports.newId,
      now: ports.now,
      beforeClose: async () => {},
    });
    const { traces } = await channel.collect(ports.signal);
    const manifest = manifestOf(traces.flatMap(({ trace }) => trace.spans.map(({ resource }) => resource)));
    return {
      packs: new Map(packs.map((pack) => [pack.name, applicabilityOf(pack, manifest)])),
      problem: driven.problem,
    };
  } finally {
    await channel.close();
  }
}
