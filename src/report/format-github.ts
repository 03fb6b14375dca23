import { guardedText } from './github-guard.ts';
import { noColours } from './palette.ts';
import type { Report, ScenarioReport, Status, TrialReport } from './report.ts';
import { statusWord } from './summary-text.ts';
import { trialText } from './trial-text.ts';
import { visibleText } from './visible-text.ts';

type Level = 'error' | 'warning' | 'notice';

/** GitHub shows ten of each level of a step and drops the others without a word. */
const mostOfLevel = 10;
const columns = 100;

const levels: Readonly<Record<Status, Level>> = {
  passed: 'notice',
  failed: 'error',
  error: 'error',
  // No evidence is no failure of the agent: the exit code keeps the job from being green.
  inconclusive: 'warning',
  unavailable: 'warning',
  notApplicable: 'notice',
};

interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly text: string;
}

/**
 * A report as annotations of GitHub Actions (workflow commands), one for each run that did not pass, with the whole text
 * of its failure. In front of them stands `text`, which is the same report for people: no name in it is read as a command.
 *
 * @example
 * console.log(formatGithub(report, formatTerminal(report)));
 */
export function formatGithub(report: Report, text = ''): string {
  const annotations = [
    ...(report.error === undefined ? [] : [errorAnnotation(report.error, report.status)]),
    ...report.scenarios.flatMap((scenario) => ofScenario(report, scenario)),
  ];
  const commands = (['error', 'warning', 'notice'] as const)
    .flatMap((level) => fitted(annotations.filter((each) => each.level === level)))
    .map(command);
  return [...(text === '' ? [] : [guardedText(text)]), ...commands].join('');
}

function errorAnnotation({ code, message }: NonNullable<Report['error']>, status: Status): Annotation {
  return { level: levels[status], title: code, text: message };
}

function ofScenario(report: Report, scenario: ScenarioReport): Annotation[] {
  const { name, status, missing, trials } = scenario;
  // Where a policy lets trials fail, what it lets through is not complained of.
  if (status === 'passed') return [];
  const failing = trials.filter((trial) => trial.status !== 'passed');
  const title = `${name}: ${statusWord(status)}`;
  const reason = missing.map(({ message }) => message).join('\n');
  if (failing.length === 0) return [{ level: levels[status], title, text: reason || statusWord(status) }];
  return failing.map((trial) => ofTrial(report, scenario, trial));
}

function ofTrial(report: Report, scenario: ScenarioReport, trial: TrialReport): Annotation {
  const codes = trial.assertions.flatMap(({ findings }) => findings.map(({ code }) => code));
  const open = trial.assertions.filter(({ status }) => status !== 'passed').map(({ name }) => name);
  const about = [...new Set(codes.length > 0 ? codes : open)].slice(0, 3).join(', ');
  const text = trialText(report, scenario, trial, { columns, palette: noColours }).join('\n').trimEnd();
  return { level: levels[trial.status], title: `${scenario.name}: ${about}`, text };
}

/** What does not fit is counted in the last one. */
function fitted(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= mostOfLevel) return annotations;
  const shown = annotations.slice(0, mostOfLevel - 1);
  const rest = annotations.length - shown.length;
  const level = annotations[0]?.level ?? 'notice';
  return [...shown, { level, title: `${rest} more`, text: `${rest} more did not pass: see the other reports.` }];
}

function command({ level, title, text }: Annotation): string {
  return `::${level} title=${property(title)}::${data(text.split('\n').map(visibleText).join('\n'))}\n`;
}

/** As the runner reads it back (actions/toolkit, `command.ts`): no text can end the command or begin another. */
function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(visibleText(text)).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
