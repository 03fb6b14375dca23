import type { Report, ScenarioReport } from '../../report/report.ts';
import { resilienceText } from '../../report/resilience-text.ts';
import { type LabelChanges, labelChanges } from '../../report/run/label-changes.ts';
import { OtelEvalError } from '../../trace/otel-eval-error.ts';

/** An unfaulted scenario whose result differs. */
export interface ScenarioChange {
  readonly scenario: string;
  readonly before: string;
  readonly after: string;
}

export interface ReportDifference {
  readonly scenarios: readonly ScenarioChange[];
  /** `null` where no faults were planned. */
  readonly recovery: LabelChanges | null;
  /** What else differs between the two, so that the agent may not be the cause. */
  readonly remarks: readonly string[];
}

/** What differs between two reports: results of scenarios, and beside them what agents made of faults. */
export function reportDifference(before: Report, after: Report): ReportDifference {
  const faulted = before.resilience !== undefined || after.resilience !== undefined;
  const recovery = faulted ? labelChanges(before, after) : null;
  const [first, second] = [resultsOf(before), resultsOf(after)];
  if (recovery === null && ![...first.keys()].some((name) => second.has(name))) {
    throw new OtelEvalError('OTEL_EVAL_USAGE', 'expected two reports of one suite, got no scenario that both have');
  }
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const scenarios = names.flatMap((scenario): ScenarioChange[] => {
    const [was, is] = [first.get(scenario) ?? 'not there', second.get(scenario) ?? 'not there'];
    return was === is ? [] : [{ scenario, before: was, after: is }];
  });
  return { scenarios, recovery, remarks: remarksOf(before, after) };
}

function resultsOf({ scenarios }: Report): ReadonlyMap<string, string> {
  return new Map(scenarios.filter(({ faulted }) => faulted === undefined).map((each) => [each.name, resultOf(each)]));
}

/** `passed, 3 of 3`. */
function resultOf({ status, trials, planned }: ScenarioReport): string {
  const passed = trials.filter((trial) => trial.status === 'passed').length;
  return `${status}, ${passed} of ${planned ?? trials.length}`;
}

function remarksOf(before: Report, after: Report): string[] {
  const remarks: string[] = [];
  const differ = (what: string, was: string, is: string): void => {
    if (was !== is) remarks.push(`${what}: ${was || 'none'} before, ${is || 'none'} after`);
  };
  differ('models', (before.plan?.models ?? []).join(', '), (after.plan?.models ?? []).join(', '));
  differ('version of otel-eval', before.version, after.version);
  differ('level', before.plan?.evidenceLevel ?? '', after.plan?.evidenceLevel ?? '');
  const [was, is] = [before, after].map(({ resilience }) =>
    resilience === undefined ? '' : resilienceText.controls(resilience).join('; '),
  );
  differ('controls', was ?? '', is ?? '');
  if (before.plan?.hash !== after.plan?.hash)
    remarks.push('the plans of the suite differ: scenarios, steps or assertions');
  return remarks;
}
