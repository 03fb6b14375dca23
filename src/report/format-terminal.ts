import { packDiagnosis } from './diagnosis.ts';
import { colours, noColours } from './palette.ts';
import type { InputRemark, Report, ReportSource, ScenarioReport } from './report.ts';
import { resilienceLines } from './resilience-lines.ts';
import { sliceLines } from './slices.ts';
import { summaryText } from './summary-text.ts';
import { wrapText } from './text-width.ts';
import { diagnosisLines, type Layout, markOf, spans, trialText } from './trial-text.ts';
import { trialsText } from './trials-text.ts';
import { visibleText } from './visible-text.ts';

export interface FormatTerminalOptions {
  /** Default 100. */
  readonly columns?: number;
  /** Default `false`. */
  readonly colour?: boolean;
  /** Only what did not pass, and the summary. Default `false`. */
  readonly quiet?: boolean;
}

/** Of one scenario; the JSON report holds them all. */
const mostTrialsShown = 10;

/**
 * A report as people read it. The last line is the summary.
 *
 * @example
 * console.log(formatTerminal(report, { columns: process.stdout.columns }));
 */
export function formatTerminal(report: Report, options: FormatTerminalOptions = {}): string {
  const { columns = 100, colour = false, quiet = false } = options;
  const layout = { columns, palette: colour ? colours : noColours };
  const shown = quiet ? report.scenarios.filter(({ status }) => status !== 'passed') : report.scenarios;
  const blocks = [
    ...shown.map((scenario) => scenarioLines(report, scenario, layout)),
    errorLines(report),
    diagnosisLines(packDiagnosis(report.applicability), layout),
    report.resilience === undefined ? [] : resilienceLines(report.resilience).map(visibleText),
    ...(report.slices ?? []).map((slice) => sliceLines(slice).map(visibleText)),
    sourceLines(report.source, layout),
    [`${markOf(report.status, layout.palette)} ${layout.palette.strong(summaryText(report))}`],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function scenarioLines(report: Report, scenario: ScenarioReport, layout: Layout): string[] {
  const failing = scenario.trials.filter(({ status }) => status !== 'passed');
  const shown = scenario.planned === undefined ? failing : failing.slice(0, mostTrialsShown);
  const texts = shown.flatMap((trial, i) => [...(i === 0 ? [] : ['']), ...trialText(report, scenario, trial, layout)]);
  const more = failing.length > shown.length ? ['', `… ${failing.length - shown.length} more trials did not pass`] : [];
  if (failing.length > 0 && scenario.planned === undefined) return [...texts, ...missingLines(scenario, layout)];
  const head = headLines(report, scenario, layout);
  return failing.length === 0 ? head : [...texts, ...more, '', ...head];
}

/** One scenario in a line, and why it is what it is. */
function headLines(report: Report, scenario: ScenarioReport, layout: Layout): string[] {
  const subject = [report.suite, scenario.name].filter((name) => name !== null).join(' › ');
  const heading = `${markOf(scenario.status, layout.palette)} ${layout.palette.strong(visibleText(subject))}`;
  const passed = scenario.status === 'passed' ? passedLines(scenario, layout) : [];
  return [`${heading}   ${layout.palette.dim(trialsText(scenario))}`, ...passed, ...missingLines(scenario, layout)];
}

function missingLines({ missing }: ScenarioReport, layout: Layout): string[] {
  return missing.flatMap(({ message }) => indented(visibleText(message), 2, layout));
}

/** Each assertion once, with what it rests on over all trials. */
function passedLines({ trials }: ScenarioReport, layout: Layout): string[] {
  const [first] = trials.filter(({ status }) => status === 'passed');
  if (first === undefined) return [];
  const width = Math.max(...first.assertions.map(({ name }) => name.length));
  return first.assertions.flatMap(({ name, status }, i) => {
    const examined = trials.reduce((sum, { assertions }) => sum + (assertions[i]?.examined ?? 0), 0);
    const remarks = new Set(trials.flatMap(({ assertions }) => assertions[i]?.remarks ?? []));
    return [
      `  ${markOf(status, layout.palette)} ${name.padEnd(width)}  ${layout.palette.dim(`${spans(examined)} examined`)}`,
      ...[...remarks].slice(0, 3).flatMap((remark) => indented(visibleText(remark), 6, layout)),
    ];
  });
}

function errorLines({ error }: Report): string[] {
  return error === undefined ? [] : [`! ${error.code}  ${visibleText(error.message)}`];
}

/** What a green report would hide: what could not be read, and what nobody judged. */
function sourceLines({ problems, unselected, unselectedTraces }: ReportSource, layout: Layout): string[] {
  const lines: string[] = [];
  if (problems.count > 0) {
    lines.push(`${problems.count} ${problems.count === 1 ? 'problem' : 'problems'} in the input:`);
    lines.push(...problems.first.flatMap((problem) => indented(visibleText(remarkText(problem)), 2, layout)));
    if (problems.count > problems.first.length) lines.push(`  … ${problems.count - problems.first.length} more`);
  }
  if (unselected.traces > 0) {
    const traces = `${unselected.traces} ${unselected.traces === 1 ? 'trace' : 'traces'}`;
    lines.push(`not judged: ${traces}, ${spans(unselected.spans)}`);
    for (const { traceId, topSpanNames } of unselectedTraces.slice(0, 5)) {
      lines.push(layout.palette.dim(`  ${visibleText(`${traceId}  ${topSpanNames.slice(0, 3).join(', ')}`)}`));
    }
    if (unselected.traces > 5) lines.push(layout.palette.dim(`  … ${unselected.traces - 5} more`));
  }
  return lines;
}

function remarkText({ input, at, message }: InputRemark): string {
  return `${input}: ${message}${at === '' ? '' : ` (${at})`}`;
}

function indented(text: string, indent: number, { columns }: Layout): string[] {
  return wrapText(text, columns - indent).map((line) => ' '.repeat(indent) + line);
}
