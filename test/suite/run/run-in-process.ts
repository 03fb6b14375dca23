import { assertions } from '../../../assertions/index.ts';
import type { Report } from '../../../src/report/report.ts';
import { runReport } from '../../../src/report/run/run-report.ts';
import { type TrialRecord, trialRecord } from '../../../src/report/run/trial-record.ts';
import type { EvidenceSource } from '../../../src/suite/evidence/evidence-source.ts';
import { parseSuite } from '../../../src/suite/parse-suite.ts';
import { openTarget } from '../../../src/suite/run/open-target.ts';
import type { DrivenTargetDocument } from '../../../src/suite/run/run-document.ts';
import { planRun, type RunChoice } from '../../../src/suite/run/run-plan.ts';
import { type RanSuite, runSuite } from '../../../src/suite/run/run-suite.ts';
import type { StepCall, TrialTicket } from '../../../src/suite/target/target.ts';
import { parseTraceparent } from '../../../src/suite/target/traceparent.ts';
import { type MadeSpan, madeTraces } from '../made-traces.ts';

/** What an agent of these tests may do: answer, and leave spans behind. */
export type ScriptedAgent = (
  call: StepCall,
  ticket: TrialTicket,
  span: (made: Omit<MadeSpan, 'trace'>) => void,
) => unknown;

export interface InProcessOptions {
  readonly choice?: Partial<RunChoice>;
  readonly onOpen?: (ticket: TrialTicket) => void;
  readonly onClose?: (ticket: TrialTicket) => void;
  readonly onTrial?: (record: TrialRecord) => void;
}

/** Runs a suite against a scripted agent whose spans are kept by trace id. */
export async function runInProcess(
  suite: Record<string, unknown>,
  agent: ScriptedAgent,
  options: InProcessOptions = {},
): Promise<{ report: Report; ran: RanSuite<TrialRecord> }> {
  const spans = new Map<string, MadeSpan[]>();
  const create = (ticket: TrialTicket) => {
    options.onOpen?.(ticket);
    return {
      step: async (call: StepCall) => {
        const parent = parseTraceparent(call.traceparent);
        return agent(call, ticket, (made) => {
          const list = spans.get(ticket.traceId) ?? [];
          spans.set(ticket.traceId, list);
          list.push({ ...(parent === undefined ? {} : { parent: parent.spanId }), ...made, trace: ticket.traceId });
        });
      },
      close: async () => options.onClose?.(ticket),
    };
  };
  const registry = new Map(assertions.map((assertion) => [assertion.id, assertion]));
  const parsed = parseSuite({ schema: 'otel-eval/suite/v1', target: { create }, ...suite }, registry, { name: 'made' });
  if (parsed.value === undefined) throw new Error(JSON.stringify(parsed.problems));
  const plan = planRun(parsed.value, {
    profile: undefined,
    tags: [],
    scenarios: [],
    trial: undefined,
    trials: undefined,
    seed: 1,
    shard: undefined,
    ...options.choice,
  });
  const evidence: EvidenceSource = {
    kind: 'memory',
    address: 'these tests',
    open: async ({ traceId }) => ({
      env: {},
      afterClose: false,
      collect: async () => ({ traces: madeTraces(spans.get(traceId) ?? []), ownChannel: false, inputs: [] }),
      close: async () => {},
    }),
    close: async () => {},
  };
  let ids = 0;
  const target = await openTarget(plan.target as DrivenTargetDocument, {
    folder: '.',
    env: {},
    showStderr: false,
    loadExports: async () => ({}),
  });
  const ran = await runSuite<TrialRecord>(plan, {
    ports: {
      suite: plan.suite,
      target,
      evidence,
      acceptsSettled: false,
      digest: () => null,
      now: () => 1_000,
      newId: (bytes) => {
        ids += 1;
        return ids.toString(16).padStart(bytes * 2, '0');
      },
      harnessMs: 60_000,
      signal: new AbortController().signal,
    },
    concurrency: 1,
    bail: false,
    record: (outcome) => trialRecord(outcome, { deterministic: true, rerun: () => 'otel-eval run …' }),
    statusOf: (outcome) => trialRecord(outcome, { deterministic: true, rerun: () => '' }).status,
    journal: undefined,
    onFinished: (_, record) => options.onTrial?.(record),
  });
  return { ran, report: reportOf(plan, ran) };
}

function reportOf(plan: ReturnType<typeof planRun>, { records, probe }: RanSuite<TrialRecord>): Report {
  return runReport({
    version: '1.0.0',
    suite: plan.suite.name,
    plan: {
      hash: plan.hash,
      corpus: plan.corpus,
      profile: plan.profile,
      seed: plan.seed,
      scenarios: plan.scenarios.map(({ scenario }) => scenario.name),
      target: { kind: 'function', label: 'function' },
      artifact: null,
      shard: null,
    },
    source: { kind: 'memory', address: 'these tests', accepted: 'proven' },
    applicability: [...probe.packs].map(([pack, { state, missing }]) => ({
      pack,
      state: state === 'unknown' ? 'applicable' : state,
      missing,
    })),
    scenarios: plan.scenarios.map(({ scenario, policy, planned, scripted }) => ({
      name: scenario.name,
      tags: scenario.tags,
      policy,
      planned,
      here: planned,
      everyTrial: scenario.run?.everyTrial ?? [],
      scripted,
      records: plan.trials.flatMap((trial) => (trial.scenario === scenario.name ? (records.get(trial) ?? []) : [])),
    })),
  });
}
