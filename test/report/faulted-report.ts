import type { Report, ScenarioReport, Status, TrialReport } from '../../src/report/report.ts';
import type { FaultedScenario } from '../../src/report/resilience-report.ts';
import { resilienceOf } from '../../src/report/run/resilience.ts';
import { passedAssertion, passedTrial, sampleReport } from './sample-report.ts';

type Facts = NonNullable<TrialReport['assertions'][number]['facts']>;

const rowFault: FaultedScenario = {
  plan: `sha256:${'0a1b2c3d'.repeat(8)}`,
  task: 'books a slot',
  row: 'stays',
  kind: 'http_503',
  point: 'above_client',
  mode: 'until_end',
  minimumExercised: 0.8,
  repeatable: true,
};

/** A faulted trial with what `RecoveryClassified` says of it. */
export function faultedTrial(index: number, facts: Partial<Record<string, Facts[string]>>): TrialReport {
  const passed = facts['label'] === 'recovered' || facts['label'] === 'clean_abort';
  const status: Status = passed ? 'passed' : facts['label'] === undefined ? 'inconclusive' : 'failed';
  const told = { status: 'classified', label: null, reasons: [], reaction: 'none', flags: [], ...facts } as Facts;
  const assertion = { ...passedAssertion, name: 'RecoveryClassified', passed, status, facts: told };
  return { ...passedTrial, index, status, assertions: [assertion], measures: { toolCalls: 4 + index } };
}

export function faultedScenario(
  name: string,
  fault: Partial<FaultedScenario>,
  trials: readonly TrialReport[],
): ScenarioReport {
  const faulted = { ...rowFault, row: name.split('#')[1] ?? '', ...fault };
  const status = trials.every((trial) => trial.status === 'passed') ? 'passed' : 'failed';
  const passed = trials.filter((trial) => trial.status === 'passed').length;
  const rate = { passed, of: trials.length, lower: 0, upper: 1 };
  return { name, status, tags: ['faulted'], trials, missing: [], planned: trials.length, faulted, rate };
}

const unfaulted: ScenarioReport = {
  ...sampleReport.scenarios[2]!,
  name: 'books a slot',
  planned: 1,
  rate: { passed: 1, of: 1, lower: 0, upper: 1 },
};

export function faultedReport(scenarios: readonly ScenarioReport[] = faultedScenarios): Report {
  const all = [unfaulted, ...scenarios];
  const resilience = resilienceOf(all);
  return {
    ...sampleReport,
    suite: 'calendar',
    applicability: [],
    summary: { passed: 1, failed: 0, inconclusive: 0, error: 0, unavailable: 0, notApplicable: 0 },
    scenarios: all,
    ...(resilience === undefined ? {} : { resilience }),
  };
}

/** One kind at both points: the client takes away what above it some agents get over. */
export const faultedScenarios: readonly ScenarioReport[] = [
  faultedScenario('books a slot#above', { mode: 'single' }, [
    faultedTrial(1, { label: 'recovered', reaction: 'retry_same', flags: ['blind_retry', 'over_budget'] }),
    faultedTrial(2, { label: 'clean_abort' }),
    faultedTrial(3, { label: 'failed', reasons: ['loop_guard'], reaction: 'retry_same', flags: ['blind_retry'] }),
  ]),
  faultedScenario('books a slot#below', { mode: 'single', point: 'below_client' }, [
    faultedTrial(1, { status: 'absorbed' }),
    faultedTrial(2, { status: 'absorbed' }),
  ]),
  faultedScenario('books a slot#empty', { kind: 'empty', mode: 'until_end' }, [
    faultedTrial(1, { label: 'unnoticed_success', reaction: 'retry_same', flags: ['grounded'] }),
    faultedTrial(2, { status: 'undecided' }),
  ]),
];
