import { noColours } from './palette.ts';
import type { AssertionReport, Report, ScenarioReport, Status, TrialReport } from './report.ts';
import { statusWord } from './summary-text.ts';
import { trialText } from './trial-text.ts';
import { formatXml, type XmlElement } from './xml.ts';

const columns = 120;
/** Of one scenario that is a single case. */
const mostTexts = 20;

/**
 * A report as JUnit XML: a suite for each scenario, a case for each assertion of each trial. Failed is `<failure>`;
 * error and inconclusive are `<error>` with a type; unavailable and not applicable are `<skipped>` with a reason.
 *
 * @example
 * await writeFile('junit.xml', formatJunit(report));
 */
export function formatJunit(report: Report): string {
  const suites = report.scenarios.map((scenario) => suite(report, scenario));
  const packs = report.applicability.filter(({ state }) => state !== 'applicable');
  const all = [
    ...suites,
    ...(packs.length === 0 ? [] : [counted('packs', packs.map(packCase))]),
    ...(report.error === undefined ? [] : [counted('otel-eval', [errorCase(report.error, report.status)])]),
  ];
  // The schema of Jenkins knows no `skipped` here.
  const { skipped: _, ...counts } = sums(
    all.flatMap(({ content }) => (typeof content === 'string' ? [] : (content ?? []))),
  );
  return formatXml({
    name: 'testsuites',
    attributes: { name: report.suite ?? 'otel-eval', ...counts, time: seconds(report.durationMs) },
    content: all,
  });
}

function suite(report: Report, scenario: ScenarioReport): XmlElement {
  const byTrial = scenario.trials.flatMap((trial) => trialCases(report, scenario, trial));
  const cases = judgedByPolicy(scenario) ? [policyCase(report, scenario)] : [...byTrial, ...unexplained(scenario)];
  const name = [report.suite, scenario.name].filter((part) => part !== null).join(' › ');
  // With a policy, `missing` is the policy's reason, and stands in a case already.
  const untold = scenario.missing.length > 0 && scenario.policy === undefined;
  const own = cases.length === 0 || untold ? [emptyCase(scenario)] : [];
  const durationMs = scenario.trials.reduce((sum, trial) => sum + (trial.durationMs ?? 0), 0);
  const { startedAt: timestamp } = report;
  const time = report.durationMs === undefined ? undefined : seconds(durationMs);
  return counted(name, [...cases, ...own], { timestamp, time });
}

/** Where a policy lets trials fail, its verdict is the case: a viewer must not be red for what was allowed. */
function judgedByPolicy({ rule, trials }: ScenarioReport): boolean {
  return rule !== undefined && rule.kind !== 'all' && trials.length > 0;
}

function policyCase(report: Report, scenario: ScenarioReport): XmlElement {
  const { name, status, policy = '', missing } = scenario;
  const failing = scenario.trials.filter((trial) => trial.status !== 'passed').slice(0, mostTexts);
  const text = failing.map((trial) => trialText(report, scenario, trial, { columns, palette: noColours }).join('\n'));
  const output: XmlElement[] = text.length === 0 ? [] : [{ name: 'system-out', content: text.join('\n\n') }];
  const message = missing.map((each) => each.message).join('; ');
  return {
    name: 'testcase',
    attributes: { classname: name, name: policy, time: report.durationMs === undefined ? undefined : '0.000' },
    content: [...statusElement(status, message), ...output],
  };
}

/** A scenario that did not pass though no trial says so (trials not run, say) must not look green. */
function unexplained({ name, status, policy, trials, missing }: ScenarioReport): XmlElement[] {
  if (policy === undefined || trials.length === 0 || status === 'passed') return [];
  if (trials.some((trial) => trial.status === status)) return [];
  const message = missing.map((each) => each.message).join('; ');
  return [{ name: 'testcase', attributes: { classname: name, name: policy }, content: statusElement(status, message) }];
}

function statusElement(status: Status, message: string): XmlElement[] {
  if (status === 'passed') return [];
  if (status === 'failed') return [{ name: 'failure', attributes: { type: 'policy', message } }];
  const skipped = status === 'unavailable' || status === 'notApplicable';
  return [
    skipped ? { name: 'skipped', attributes: { message } } : { name: 'error', attributes: { type: status, message } },
  ];
}

/** The whole text of a trial stands once, with the first case that did not pass. */
function trialCases(report: Report, scenario: ScenarioReport, trial: TrialReport): XmlElement[] {
  const guilty = counting(trial).findIndex(({ status }) => status !== 'passed');
  const names = distinctNames(counting(trial));
  return counting(trial).map((assertion, i) => {
    const many = scenario.trials.length > 1 ? ` [trial ${trial.index}]` : '';
    const told = i === guilty ? trialText(report, scenario, trial, { columns, palette: noColours }).join('\n') : '';
    const output: XmlElement[] = told === '' ? [] : [{ name: 'system-out', content: told }];
    return {
      name: 'testcase',
      attributes: {
        classname: scenario.name,
        name: `${names[i]}${many}`,
        time: i === 0 ? seconds(trial.durationMs) : report.durationMs === undefined ? undefined : '0.000',
      },
      content: [...outcome(assertion), ...output],
    };
  });
}

/** `ToolCalled`, `ToolCalled (2)`: of cases that share a name GitLab keeps one, and a pass would hide a failure. */
function distinctNames(assertions: readonly AssertionReport[]): string[] {
  const seen = new Map<string, number>();
  return assertions.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** What a semantic judge said beside the verdict stands in the text, not among the cases. */
function counting({ assertions }: TrialReport): readonly AssertionReport[] {
  return assertions.filter(({ advisory }) => advisory !== true);
}

function outcome({ status, findings, missing }: AssertionReport): XmlElement[] {
  if (status === 'passed') return [];
  const reasons = missing.map(({ message }) => message);
  if (status === 'failed') {
    const [first] = findings;
    const text = findings.map(({ code, message }) => `${code}: ${message}`).join('\n');
    return [
      { name: 'failure', attributes: { type: first?.code ?? status, message: first?.message ?? '' }, content: text },
    ];
  }
  const message = reasons.join('; ');
  if (status === 'unavailable' || status === 'notApplicable') return [{ name: 'skipped', attributes: { message } }];
  return [{ name: 'error', attributes: { type: status, message }, content: reasons.join('\n') }];
}

/** A scenario that judged nothing, or may not have seen all, must not vanish. */
function emptyCase({ name, status, missing }: ScenarioReport): XmlElement {
  const message = missing.map((each) => each.message).join('; ') || statusWord(status);
  const type = status;
  const skipped = status === 'unavailable' || status === 'notApplicable';
  const content: XmlElement[] = [
    skipped ? { name: 'skipped', attributes: { message } } : { name: 'error', attributes: { type, message } },
  ];
  return { name: 'testcase', attributes: { classname: name, name }, content };
}

function packCase({ pack, state, missing }: Report['applicability'][number]): XmlElement {
  const message = missing.length === 0 ? state : `missing: ${missing.join(', ')}`;
  // What was declared and is missing fails in the trials that show it; here it is named.
  const content: XmlElement[] = [
    state === 'notApplicable'
      ? { name: 'skipped', attributes: { message } }
      : { name: 'error', attributes: { type: state, message } },
  ];
  return { name: 'testcase', attributes: { classname: 'packs', name: pack }, content };
}

function errorCase({ code, message }: NonNullable<Report['error']>, status: Report['status']): XmlElement {
  const outcomes: XmlElement =
    status === 'unavailable'
      ? { name: 'skipped', attributes: { message } }
      : { name: 'error', attributes: { type: code, message } };
  return { name: 'testcase', attributes: { classname: 'otel-eval', name: 'look at the traces' }, content: [outcomes] };
}

function counted(name: string, cases: readonly XmlElement[], times: XmlElement['attributes'] = {}): XmlElement {
  return { name: 'testsuite', attributes: { name, ...sums(cases), ...times }, content: cases };
}

function sums(cases: readonly XmlElement[]): Record<string, number> {
  const flat = cases.flatMap((each) => (each.name === 'testsuite' ? (each.content as readonly XmlElement[]) : [each]));
  const holding = (name: string): number =>
    flat.filter(({ content }) => Array.isArray(content) && content.some((child) => child.name === name)).length;
  return { tests: flat.length, failures: holding('failure'), errors: holding('error'), skipped: holding('skipped') };
}

function seconds(durationMs: number | undefined): string | undefined {
  return durationMs === undefined ? undefined : (durationMs / 1000).toFixed(3);
}
