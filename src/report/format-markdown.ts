import { codeBlock, htmlText, markdownText } from './markdown-text.ts';
import { noColours } from './palette.ts';
import type { Report, ScenarioReport, Status, TrialReport } from './report.ts';
import { resilienceText as text } from './resilience-text.ts';
import { sliceLines } from './slices.ts';
import { statusWord, summaryText } from './summary-text.ts';
import { markOf, trialText } from './trial-text.ts';

/** A comment on GitHub holds 65,536 characters, and more is read by nobody. */
const mostCharacters = 60_000;
const columns = 100;

/**
 * A report as Markdown, for the summary of a CI job or a comment: a table of the scenarios, then the text of each trial
 * that did not pass. Names and messages are text in it, never markup.
 *
 * @example
 * await appendFile(process.env.GITHUB_STEP_SUMMARY, formatMarkdown(report));
 */
export function formatMarkdown(report: Report): string {
  const head = [
    `## ${sign(report.status)} ${markdownText(report.suite ?? 'otel-eval')}`,
    markdownText(summaryText(report)),
    ...(report.error === undefined ? [] : [`\`${report.error.code}\` ${markdownText(report.error.message)}`]),
    ...table(report),
    ...packs(report),
    ...resilience(report),
    ...(report.slices ?? []).map((slice) => codeBlock(sliceLines(slice).join('\n'))),
    ...sourceNotes(report),
  ];
  return `${[...head, ...failures(report, mostCharacters - head.join('\n\n').length)].join('\n\n')}\n`;
}

function sign(status: Status): string {
  return markOf(status, noColours);
}

/** Faulted scenarios have a table of their own: they count in no success rate. */
function table({ scenarios }: Report): string[] {
  const unfaulted = scenarios.filter(({ faulted }) => faulted === undefined);
  if (unfaulted.length === 0) return [];
  const rows = unfaulted.map((scenario) => {
    const cells = [
      `${sign(scenario.status)} ${statusWord(scenario.status)}`,
      markdownText(scenario.name),
      result(scenario),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [['| | scenario | result |', '|---|---|---|', ...rows].join('\n')];
}

/** `2 of 3 runs passed`, and why where no run says so. */
function result({ trials, planned, policy, missing }: ScenarioReport): string {
  const passed = trials.filter(({ status }) => status === 'passed').length;
  const of = `${passed} of ${planned ?? trials.length} ${planned === undefined ? 'runs' : 'trials'} passed`;
  const wanted = policy === undefined ? '' : `; wanted: ${markdownText(policy)}`;
  return `${of}${wanted}${missing.map(({ message }) => `<br>${markdownText(message)}`).join('')}`;
}

function resilience({ resilience: found }: Report): string[] {
  if (found === undefined) return [];
  const rows = found.rows.map((row) => {
    const cells = [row.scenario, text.fault(row), text.counts(row)].map(markdownText);
    return `| ${cells.join(' | ')} |`;
  });
  const flags = text.flags(found);
  const once = text.observations(found);
  const notes = [
    ...text.controls(found).map((line) => `- ${markdownText(line)}`),
    ...text.gaps(found).map((gap) => `- **gap** ${markdownText(gap)}`),
    ...text.reactions(found).map((line) => `- reactions, ${markdownText(line)}`),
    ...(flags === '' ? [] : [`- flags: ${markdownText(flags)}`]),
    ...text.modes(found).map((line) => `- ${markdownText(line)}`),
    ...(once === '' ? [] : [`- ${markdownText(once)}`]),
  ];
  return [
    '### Resilience',
    `${markdownText(text.head(found))}: ${markdownText(text.counts(found))}`,
    ['| row | fault | runs by label, and those outside the labels |', '|---|---|---|', ...rows].join('\n'),
    notes.join('\n'),
  ].filter((block) => block !== '');
}

const packWords = { applicable: 'applicable', notApplicable: 'not applicable', failedProof: 'not proven' } as const;

function packs({ applicability }: Report): string[] {
  const open = applicability.filter(({ state }) => state !== 'applicable');
  if (open.length === 0) return [];
  const rows = open.map(({ pack, state, missing }) => {
    const lacking = missing.length === 0 ? '' : `, missing: ${missing.map(markdownText).join(', ')}`;
    return `- pack ${markdownText(pack)}: ${packWords[state]}${lacking}`;
  });
  return [rows.join('\n')];
}

function sourceNotes({ source }: Report): string[] {
  const { problems, unselected } = source;
  const notes = [
    ...(problems.count === 0 ? [] : [`${counted(problems.count, 'problem')} in the input`]),
    ...(unselected.traces === 0 ? [] : [`${counted(unselected.traces, 'trace')} not judged`]),
  ];
  return notes.length === 0 ? [] : [`${notes.join('; ')}.`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As many as there is room for; how many are left out is said. */
function failures(report: Report, room: number): string[] {
  const failing = report.scenarios.flatMap((scenario) =>
    scenario.trials.filter(({ status }) => status !== 'passed').map((trial) => ({ scenario, trial })),
  );
  const told: string[] = [];
  let left = room;
  for (const { scenario, trial } of failing) {
    const text = failure(report, scenario, trial);
    left -= text.length + 2;
    if (left < 0) break;
    told.push(text);
  }
  const rest = failing.length - told.length;
  return rest === 0 ? told : [...told, `… ${rest} more did not pass: see the other reports.`];
}

function failure(report: Report, scenario: ScenarioReport, trial: TrialReport): string {
  const text = trialText(report, scenario, trial, { columns, palette: noColours }).join('\n').trimEnd();
  const many = scenario.trials.length > 1 ? `, ${scenario.planned === undefined ? 'run' : 'trial'} ${trial.index}` : '';
  const heading = `${sign(trial.status)} ${htmlText(scenario.name)}${many}`;
  return `<details><summary>${heading}</summary>\n\n${codeBlock(text)}\n\n</details>`;
}
