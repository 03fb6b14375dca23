import type { Palette } from './palette.ts';
import type {
  AssertionReport,
  Diagnosis,
  FindingReport,
  Report,
  ScenarioReport,
  Status,
  TrialReport,
} from './report.ts';
import { statusWord } from './summary-text.ts';
import { wrapText } from './text-width.ts';
import { treeLines } from './tree-lines.ts';
import { visibleText } from './visible-text.ts';

export interface Layout {
  readonly columns: number;
  readonly palette: Palette;
}

/** Fields stand under each other: `expected`, `observed`, `missing`, `evidence`, `rerun`. */
const fieldWidth = 10;

/**
 * What a person reads of a trial that did not pass (design §7): subject, codes, expected and observed, the tree with the
 * guilty spans, near misses, evidence, how to rerun. The same lines stand in every format.
 */
export function trialText(report: Report, scenario: ScenarioReport, trial: TrialReport, layout: Layout): string[] {
  const many = scenario.trials.length > 1 ? `   trial ${trial.index} of ${scenario.trials.length}` : '';
  const seed = trial.seed === null ? '' : `${many === '' ? '   ' : ', '}seed ${trial.seed}`;
  const subject = [report.suite, scenario.name].filter((name) => name !== null).join(' › ');
  return failureText(trial, { subject, note: many + seed }, layout);
}

/** What has the same layout in a test runner, where there is no report around it. */
export type FailedTrial = Pick<
  TrialReport,
  'status' | 'assertions' | 'tree' | 'traceIds' | 'evidence' | 'rerun' | 'diagnosis'
>;

/** The failure text under a subject of the caller's own. */
export function failureText(
  trial: FailedTrial,
  { subject, note }: { readonly subject: string; readonly note: string },
  layout: Layout,
): string[] {
  const { palette } = layout;
  return [
    `${markOf(trial.status, palette)} ${palette.strong(visibleText(subject))}${palette.dim(note)}`,
    ...assertionLines(
      trial.assertions.filter(({ status }) => status !== 'passed'),
      layout,
    ),
    '',
    ...treesOf(trial, layout),
    ...field('evidence', trial.evidence, 4, layout),
    ...diagnosisLines(trial.diagnosis, layout),
    ...(trial.rerun === null ? [] : [`    ${palette.dim('rerun'.padEnd(fieldWidth))}${visibleText(trial.rerun)}`]),
  ];
}

/** What usually lies behind it, and where to look next. */
export function diagnosisLines(diagnosis: Diagnosis | undefined, layout: Layout): string[] {
  if (diagnosis === undefined) return [];
  return [...field('likely', diagnosis.likely, 4, layout), ...field('look at', diagnosis.next, 4, layout)];
}

export function markOf(status: Status, palette: Palette): string {
  if (status === 'passed') return palette.good('✓');
  if (status === 'failed') return palette.bad('✗');
  if (status === 'inconclusive') return palette.unsure('?');
  return status === 'error' ? palette.bad('!') : palette.dim('–');
}

/** Those that found something, then the undecided ones; of these, what lacks the same evidence stands together. */
function assertionLines(assertions: readonly AssertionReport[], layout: Layout): string[] {
  const undecided = new Map<string, AssertionReport[]>();
  for (const assertion of assertions.filter(({ findings }) => findings.length === 0)) {
    const key = missingLines(assertion, layout).join('\n');
    undecided.set(key, [...(undecided.get(key) ?? []), assertion]);
  }
  return [
    ...assertions.filter(({ findings }) => findings.length > 0).flatMap((each) => failedLines(each, layout)),
    ...[...undecided.values()].flatMap((group) => undecidedLines(group, layout)),
  ];
}

function failedLines(assertion: AssertionReport, layout: Layout): string[] {
  const { palette } = layout;
  const { name, findings } = assertion;
  const lines = findings.flatMap((finding, i) => [
    `  ${i === 0 ? palette.strong(name) : ' '.repeat(name.length)}  ${palette.bad(finding.code)}`,
    ...findingLines(finding, layout),
  ]);
  return [...lines, ...missingLines(assertion, layout)];
}

function undecidedLines(group: readonly AssertionReport[], layout: Layout): string[] {
  const { palette } = layout;
  const [first] = group;
  const width = Math.max(...group.map(({ name }) => name.length));
  const names = group.map(({ name, status, examined }) => {
    const padding = ' '.repeat(width - name.length);
    return `  ${palette.strong(name)}${padding}  ${palette.unsure(statusWord(status))}, ${spans(examined)} examined`;
  });
  return [...names, ...(first === undefined ? [] : missingLines(first, layout))];
}

function missingLines({ missing }: AssertionReport, layout: Layout): string[] {
  return missing.flatMap(({ message }) => field('missing', message, 4, layout));
}

function findingLines({ expected, observed, nearMisses }: FindingReport, layout: Layout): string[] {
  return [
    ...field('expected', expected, 4, layout),
    ...field('observed', observed, 4, layout),
    ...nearMisses.flatMap(({ span, difference }) => {
      const where = span === null ? '' : `span ${span.spanId}: `;
      return field('near miss', `${where}${difference}`, 4, layout);
    }),
  ];
}

/** One tree a trace; a heading where there is more than one. */
function treesOf({ tree, traceIds }: FailedTrial, layout: Layout): string[] {
  if (tree.length === 0) return [];
  return traceIds.flatMap((traceId) => {
    const rows = tree.filter((row) => row.traceId === traceId);
    const heading = traceIds.length === 1 || rows.length === 0 ? [] : [`    trace ${visibleText(traceId)}`];
    return rows.length === 0 ? [] : [...heading, ...treeLines(rows, { ...layout, indent: 4 }), ''];
  });
}

function field(name: string, value: string, indent: number, { columns, palette }: Layout): string[] {
  const room = Math.max(20, columns - indent - fieldWidth);
  return wrapText(visibleText(value), room).map((line, i) => {
    const label = (i === 0 ? name : '').padEnd(fieldWidth);
    return `${' '.repeat(indent)}${palette.dim(label)}${line}`;
  });
}

export function spans(count: number): string {
  return `${count} ${count === 1 ? 'span' : 'spans'}`;
}
