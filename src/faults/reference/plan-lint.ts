import type { View } from '../../verdict/assertion.ts';
import { type FaultPlan, type PlanRow, scenarioOfRow } from '../plan/fault-plan.ts';
import { faultedRunOf } from '../read/faulted-run-of.ts';
import type { RecoveryOptions } from '../read/recovery-options.ts';
import type { Classification } from '../recovery/classification.ts';
import { classify } from '../recovery/classify.ts';
import { type ReferenceAgentName, referenceAgentNames, referenceAgents } from './reference-agents.ts';
import type { PlannedCall, ReferenceTask } from './reference-task.ts';
import { runReference } from './run-reference.ts';

/** Runs work and hands over what it left in the trace. */
export type RecordRun = <Value>(work: () => Promise<Value>) => Promise<{ readonly view: View; readonly value: Value }>;

export interface LintedRow {
  /** `task#row`. */
  readonly scenario: string;
  readonly labels: Readonly<Record<ReferenceAgentName, Classification>>;
  /**
   * `unanswerable`: the fault reaches the verifier, and it neither recovers nor stops cleanly: the row punishes every policy.
   * `not_discriminating`: all six come out alike.
   */
  readonly problems: readonly ('unanswerable' | 'not_discriminating')[];
}

export interface LintGivens {
  readonly task: ReferenceTask;
  readonly record: RecordRun;
  readonly options?: Partial<RecoveryOptions> | undefined;
  /** Steps after which the loop guard ends a run. Default: 50. */
  readonly stepLimit?: number | undefined;
}

/** Runs the six reference agents through every row of a plan. */
export async function lintPlan(plan: FaultPlan, givens: LintGivens): Promise<LintedRow[]> {
  const { task, record, options = {} } = givens;
  const policy = referenceAgents.verifier;
  const { value: control } = await record(() => runReference({ task, policy, plan, row: undefined }));
  const rows: LintedRow[] = [];
  for (const row of plan.rows) {
    const labels: Partial<Record<ReferenceAgentName, Classification>> = {};
    for (const agent of referenceAgentNames) {
      labels[agent] = await classified(agent, plan, row, {
        task,
        record,
        options: { ...options, control: controlOf(control.calls) },
      });
    }
    const all = labels as LintedRow['labels'];
    rows.push({ scenario: scenarioOfRow(row), labels: all, problems: problemsOf(all) });
  }
  return rows;
}

async function classified(
  agent: ReferenceAgentName,
  plan: FaultPlan,
  row: PlanRow,
  { task, record, options, stepLimit }: LintGivens,
): Promise<Classification> {
  const policy = referenceAgents[agent];
  const { view } = await record(() => runReference({ task, policy, plan, row, stepLimit }));
  return classify(faultedRunOf(view, { ...noOptions, ...options }));
}

const noOptions: RecoveryOptions = {
  effects: {},
  verify: [],
  alternates: [],
  escalations: [],
  compensations: [],
  goal: [],
  idempotencyKeys: ['idempotency_key'],
  control: undefined,
  budget: null,
  message: {},
};

function controlOf(calls: readonly PlannedCall[]): NonNullable<RecoveryOptions['control']> {
  return calls.map(({ tool, arguments: given }) => ({ tool, arguments: given as never }));
}

function problemsOf(labels: LintedRow['labels']): LintedRow['problems'] {
  const { label } = labels.verifier;
  const told = new Set(referenceAgentNames.map((name) => labels[name].label ?? labels[name].status));
  return [
    ...(label === null || label === 'recovered' || label === 'clean_abort' ? [] : (['unanswerable'] as const)),
    ...(told.size === 1 ? (['not_discriminating'] as const) : []),
  ];
}
