import type { Capture } from '../capture-set.ts';
import { runCli } from '../cli/run-cli.ts';

/** The two questions that every capture is asked, as a user would ask them. */
export const questions = {
  refund: 'ToolCalled={"match":{"tool":"issue_refund"},"expect":{"atMost":1}}',
  tools: 'ToolSucceeded={"match":{}}',
  /** The second one by status alone, for where results are left out. */
  status: 'ToolSucceeded={"match":{},"evidence":"status"}',
} as const;

export type Question = keyof typeof questions;
export type Light = 'green' | 'red' | 'undecided';

export interface Answer {
  readonly light: Light;
  /** In a few words, why it is not decided. */
  readonly reasons: readonly string[];
}

interface Report {
  readonly scenarios: readonly {
    readonly trials: readonly { readonly assertions: readonly AssertionReport[] }[];
  }[];
}

interface AssertionReport {
  readonly status: string;
  readonly missing: readonly { readonly kind: string; readonly message: string }[];
}

/** What `check` says of a capture, in this process. */
export async function answersOf({ files }: Capture): Promise<Readonly<Record<Question, Answer>>> {
  const inputs = files.flatMap((file) => ['--input', file]);
  const asserts = Object.values(questions).flatMap((text) => ['--assert', text]);
  const { stdout, stderr } = await runCli(['check', '--trace-source', 'file', ...inputs, ...asserts, '--json']);
  if (stdout === '') throw new Error(`check gave no report: ${stderr}`);
  const report = JSON.parse(stdout) as Report;
  const trials = report.scenarios.flatMap((scenario) => scenario.trials);
  const answerTo = (place: number): Answer => combined(trials.flatMap(({ assertions }) => assertions[place] ?? []));
  return { refund: answerTo(0), tools: answerTo(1), status: answerTo(2) };
}

function combined(judged: readonly AssertionReport[]): Answer {
  const statuses = new Set(judged.map(({ status }) => status));
  if (statuses.has('failed')) return { light: 'red', reasons: [] };
  if (judged.length > 0 && statuses.size === 1 && statuses.has('passed')) return { light: 'green', reasons: [] };
  const missing = judged.flatMap((assertion) => assertion.missing);
  const reasons = judged.length === 0 ? ['no span'] : missing.map(({ kind, message }) => shortly(kind, message));
  return { light: 'undecided', reasons: [...new Set(reasons)].sort() };
}

const words: Readonly<Record<string, string>> = {
  boundary: 'runs cannot be told apart',
  completeness: 'spans were lost',
  content: 'results left out',
  'nothing-examined': 'no call is seen',
};

function shortly(kind: string, message: string): string {
  const unseen = /^this trace (?:does not show|shows) (.*?)( only in part)? \(/.exec(message);
  if (unseen !== null) return `${unseen[1]} ${unseen[2] === undefined ? 'hidden' : 'in part'}`;
  return kind === 'visibility' ? 'outcome of a call not told' : (words[kind] ?? kind);
}
