import { dialects } from '../../src/agent/dialects/index.ts';
import { type Sight, type VisibleFact, visibleFacts } from '../../src/agent/visibility.ts';
import { type Capture, capturesIn } from '../capture-set.ts';
import { type Answer, answersOf, type Light, type Question } from './two-questions.ts';

const marks: Readonly<Record<Sight, string>> = { shown: '●', partly: '◐', hidden: '·' };

const heads: Readonly<Record<VisibleFact, string>> = {
  modelCalls: 'model calls',
  failedModelCalls: 'failed ones',
  toolCalls: 'tool calls',
  toolNames: 'names',
  failedToolCalls: 'failed ones',
  callIds: 'ids',
  arguments: 'arguments',
  results: 'results',
  usage: 'tokens',
  content: 'messages',
  subAgents: 'sub-agents',
  failureMarks: 'failures marked',
  retrievals: 'retrievals',
  memory: 'memory',
  handoffs: 'handoffs',
  humanInputs: 'approvals',
};

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Every row that a dialect declares. */
export function visibilityTable(): string {
  const rows = dialects.flatMap(({ name, sights }) =>
    sights.map(({ of, shows, note }) => [
      note === undefined ? of : `${of}: ${note}`,
      `\`${name}\``,
      ...visibleFacts.map((fact) => marks[shows[fact]]),
    ]),
  );
  return table(['instrumentation', 'dialect', ...visibleFacts.map((fact) => heads[fact])], rows);
}

export interface Asked {
  readonly capture: Capture;
  /** `undefined` where nothing was exported: there is no file to check. */
  readonly answers: Readonly<Record<Question, Answer>> | undefined;
}

export async function askedIn(folder: string): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const capture of capturesIn(folder)) {
    asked.push({ capture, answers: capture.files.length === 0 ? undefined : await answersOf(capture) });
  }
  return asked;
}

/** Whether the answer must be red. */
export function isFalse(question: Question, { calls }: Capture): boolean {
  if (question === 'refund') return calls.filter(({ name }) => name === 'issue_refund').length > 1;
  return calls.some(({ outcome }) => outcome !== 'ok' && outcome !== 'handoff');
}

/** The row of one folder: how each question was answered, apart for where it is true and where it is false. */
export function answerRow(folder: string, asked: readonly Asked[]): readonly string[] {
  return [`\`${folder}\``, ...(['refund', 'tools'] as const).flatMap((question) => answerCells(question, asked))];
}

function answerCells(question: Question, asked: readonly Asked[]): readonly string[] {
  const [bad, good] = [true, false].map((wanted) =>
    asked.filter(({ capture }) => isFalse(question, capture) === wanted),
  );
  const reasons = asked.flatMap(({ answers }) => answers?.[question].reasons ?? []);
  const unseen = asked.some(({ answers }) => answers === undefined) ? ['nothing was exported'] : [];
  return [lights(question, bad ?? []), lights(question, good ?? []), [...new Set([...unseen, ...reasons])].join(', ')];
}

export function countOf(question: Question, asked: readonly Asked[]): Readonly<Record<Light, number>> {
  const count = { red: 0, undecided: 0, green: 0 };
  for (const { answers } of asked) count[answers?.[question].light ?? 'undecided'] += 1;
  return count;
}

function lights(question: Question, asked: readonly Asked[]): string {
  const { red, undecided, green } = countOf(question, asked);
  return asked.length === 0 ? '–' : `${red} / ${undecided} / ${green}`;
}

export const answerHeads: readonly string[] = [
  'captures of',
  'two refunds happened',
  'at most one did',
  'why undecided',
  'a tool failed',
  'none did',
  'why undecided',
];

/** Sums over all captures, and what others said on theirs. */
export function sums(asked: readonly Asked[]): string {
  const of = (question: Question, wanted: boolean) =>
    countOf(
      question,
      asked.filter(({ capture }) => isFalse(question, capture) === wanted),
    );
  const shown = ({ red, undecided, green }: Readonly<Record<Light, number>>) => [red, undecided, green].map(String);
  const rows = [
    ['two refunds happened: "at most one refund"', ...shown(of('refund', true))],
    ['at most one happened: the same', ...shown(of('refund', false))],
    ['a tool failed: "no tool failed"', ...shown(of('tools', true))],
    ['none failed: the same', ...shown(of('tools', false))],
  ];
  return table(['truth and question', 'red', 'undecided', 'green'], rows);
}
