import type { RecoveryParameters } from '../../faults/read/recovery-parameters.ts';
import type { Classification } from '../../faults/recovery/classification.ts';
import { controlMessages, controlTask } from '../../faults/reference/control-task.ts';
import { type LintedRow, lintPlan, type RecordRun } from '../../faults/reference/plan-lint.ts';
import { referenceAgentNames } from '../../faults/reference/reference-agents.ts';
import { padText, widestText } from '../../report/text-width.ts';
import { visibleText } from '../../report/visible-text.ts';
import type { SuiteFaults } from '../../suite/faults/parse-faults.ts';
import type { RunPlan } from '../../suite/run/run-plan.ts';
import { displayName } from '../../trace/display-name.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';
import type { Invocation } from '../command.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { textTable } from '../show/text-table.ts';

/** What one row of a plan comes to for the reference agents, and what is wrong with it. */
interface RowLint {
  readonly scenario: string;
  /** Label, with its first reason, or the state of a run without one; by agent. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly problems: LintedRow['problems'];
  /** What to make of it, in a sentence; `null` for a fair row that tells agents apart. */
  readonly remark: string | null;
  /** The plan should be mended. A row that a client absorbs only measures the client. */
  readonly isWrong: boolean;
}

/**
 * Tries each row of a fault plan on six agents by script: a row that even a careful one cannot answer punishes everybody, and one
 * that all come out of alike tells nothing. No model is asked, and the agent of the suite is not run.
 */
export async function lintFaults(plan: RunPlan, options: Invocation['options'], context: Context): Promise<ExitCode> {
  const { faults, chosen } = chosenFaults(plan);
  const linted = await lint(faults);
  const rows = linted.map(rowLint).filter(({ scenario }) => chosen.has(scenario));
  const isWrong = rows.some((row) => row.isWrong);
  const exitCode = isWrong ? 1 : 0;
  const shown = rows.map((row) => ({ ...row, scenario: displayName(row.scenario) }));
  const document = { schema: 'otel-eval/plan-lint/v1', plan: faults.plan.hash, exitCode, rows: shown };
  await context.write(
    options['json'] === true ? `${JSON.stringify(document, null, 2)}\n` : text(shown, faults, context.columns),
  );
  return exitCode;
}

function chosenFaults({ suite, scenarios }: RunPlan): { faults: SuiteFaults; chosen: ReadonlySet<string> } {
  const faults = suite.run?.faults;
  const chosen = new Set(scenarios.flatMap(({ scenario }) => (scenario.run?.fault === undefined ? [] : scenario.name)));
  if (faults === undefined || chosen.size === 0) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected a fault plan to check, got none', {
      hint: faults === undefined ? 'a suite has one under "faults:"' : 'none of its rows was chosen',
    });
  }
  return { faults, chosen };
}

async function lint({ plan, recovery }: SuiteFaults): Promise<LintedRow[]> {
  const declared = recovery.parameters as RecoveryParameters;
  const { control, effects, verify, alternates, escalations, compensations, idempotencyKeys } = declared;
  if (control === undefined) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected the tool calls of an unfaulted run, got none', {
      hint: 'give them under faults: recovery: control, as "- { tool: create_event, arguments: { … } }", and what tools do under effects',
    });
  }
  const task = controlTask('control', { control, effects, verify, alternates, rows: plan.rows });
  const options = { verify, alternates, escalations, compensations, idempotencyKeys, message: controlMessages };
  const { recordTraces } = await import('../../testing/record-traces.ts');
  const traces = recordTraces();
  const record: RecordRun = async (work) => {
    const recorded = await traces.record(work);
    const source = { kind: 'memory', acceptsSettled: false, beforeDeadline: false } as const;
    const { run, traces: own, value } = recorded;
    return { value, view: { run, traces: own, source, remoteRoot: false, digest: () => null, unselected: [] } };
  };
  try {
    return await lintPlan(plan, { task, record, options, stepLimit: 8 + 3 * control.length });
  } finally {
    await traces.close();
  }
}

function rowLint({ scenario, labels, problems }: LintedRow): RowLint {
  const outcomes = Object.fromEntries(referenceAgentNames.map((name) => [name, outcomeOf(labels[name])]));
  const { verifier } = labels;
  const word = verifier.label ?? verifier.status;
  if (problems.includes('unanswerable')) {
    const remark = `unanswerable: an agent that looks before it writes again comes out ${outcomeOf(verifier)}`;
    return { scenario, outcomes, problems, remark, isWrong: true };
  }
  if (!problems.includes('not_discriminating')) return { scenario, outcomes, problems, remark: null, isWrong: false };
  const because = verifier.missing[0] === undefined ? '' : ` (${verifier.missing[0]})`;
  const remark =
    word === 'absorbed'
      ? 'not discriminating: the client takes the fault away, so the row measures the client and no agent'
      : `not discriminating: all six agents come out ${word}${because}`;
  return { scenario, outcomes, problems, remark, isWrong: word !== 'absorbed' };
}

function outcomeOf({ label, status, reasons }: Classification): string {
  const [reason] = reasons;
  return reason === undefined ? (label ?? status) : `${label}: ${reason}`;
}

function text(rows: readonly RowLint[], { plan }: SuiteFaults, columns: number): string {
  const remarks = rows.flatMap(({ scenario, remark, isWrong }) =>
    remark === null ? [] : [`${isWrong ? '✗' : '?'} ${scenario}: ${remark}`],
  );
  const wrong = rows.filter((row) => row.isWrong).length;
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${wrong} to mend; fault plan ${plan.hash.slice(0, 15)}…`;
  return `${[outcomeLines(rows, columns), remarks, [count]]
    .filter((block) => block.length > 0)
    .map((block) => block.map(visibleText).join('\n'))
    .join('\n\n')}\n`;
}

/** A table, agent by agent; where it does not fit, each row with its outcomes and who came out so. */
function outcomeLines(rows: readonly RowLint[], columns: number): string[] {
  const cells = rows.map(({ scenario, outcomes }) => [
    scenario,
    ...referenceAgentNames.map((name) => outcomes[name] ?? ''),
  ]);
  const table = textTable(['row', ...referenceAgentNames], cells, { columns: Number.POSITIVE_INFINITY, cut: 0 });
  if (widestText(table) <= columns) return table;
  return rows.flatMap(({ scenario, outcomes }) => {
    const told = [...new Set(Object.values(outcomes))];
    const width = widestText(told);
    const who = (outcome: string): string =>
      referenceAgentNames.filter((name) => outcomes[name] === outcome).join(', ');
    return [scenario, ...told.map((outcome) => `  ${padText(outcome, width)}  ${who(outcome)}`)];
  });
}
